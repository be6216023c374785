// What can be seen inside, one entry an overlay. To add one: a name that words.js knows, what it
// needs from the server, and a function that draws on the layers of the board.

import { CELL, make } from './board.js';

const percent = (x) => Math.round(100 * x);

// From the player to move's view.
export const view = (insight, rate) => (insight.toMove === 'black' ? rate : 1 - rate);

// Colours that are told apart on wood, also by those who confuse red and green: dark blue is best.
const SCALE = ['#0b4f8a', '#1d7a6c', '#8a6d00', '#a04000'];

function candidates(board, { insight }) {
  const best = insight.candidates[0];
  const most = Math.max(...insight.candidates.map((c) => c.visits));
  insight.candidates.slice(0, 10).forEach((c, i) => {
    if (c.at === 'pass' || c.visits < Math.max(2, most / 50)) return;
    const { cx, cy } = board.at(c.at);
    const gap = view(insight, best.winrate) - view(insight, c.winrate);
    const fill = i === 0 ? SCALE[0] : gap < 0.03 ? SCALE[1] : gap < 0.1 ? SCALE[2] : SCALE[3];
    const share = Math.max(0.72, Math.min(0.95, 0.6 + c.visits / most));
    const group = make('g', { class: 'candidate', 'data-at': c.at });
    group.append(make('circle', { cx, cy, r: CELL * 0.46, fill, 'fill-opacity': share, stroke: i === 0 ? '#fff' : 'none', 'stroke-width': 2 }));
    group.append(make('text', { x: cx, y: cy - 5, class: 'text-large', fill: '#fff' }, percent(view(insight, c.winrate))));
    group.append(make('text', { x: cx, y: cy + 9, class: 'text-small', fill: '#fff' }, c.visits >= 10000 ? `${Math.round(c.visits / 1000)}k` : c.visits));
    board.layers.over.append(group);
  });
}

function model(board, { insight }, shown) {
  const most = insight.policy[0]?.[1] ?? 1;
  for (const [at, p] of insight.policy) {
    const { cx, cy } = board.at(at);
    const r = CELL * (0.12 + 0.34 * Math.sqrt(p / most));
    board.layers.under.append(make('circle', { cx, cy, r, fill: '#5b2a86', 'fill-opacity': 0.75, class: 'model' }));
    if (p >= 0.02 && !shown.has('candidates')) {
      board.layers.over.append(make('text', { x: cx, y: cy, class: 'text-small', fill: '#fff' }, percent(p)));
    }
  }
}

function squares(board, values, draw) {
  board.names().forEach((name, i) => {
    const square = draw(values[i], name);
    if (!square) return;
    const { cx, cy } = board.at(name);
    const side = CELL * square.side;
    board.layers[square.layer ?? 'over'].append(make('rect', {
      x: cx - side / 2, y: cy - side / 2, width: side, height: side,
      fill: square.fill, 'fill-opacity': square.opacity ?? 1, class: square.class,
    }));
  });
}

function ownership(board, { insight, statistics }) {
  squares(board, (insight ?? statistics).ownership, (value, name) => {
    if (Math.abs(value) < 12) return null;
    const stone = board.stoneAt(name);
    const owner = value > 0 ? 'X' : 'O';
    // Stones that stay their owner's say nothing new.
    if (stone === owner && Math.abs(value) > 60) return null;
    return { side: 0.16 + 0.32 * (Math.abs(value) / 100), fill: value > 0 ? '#0a0a0a' : '#ffffff', opacity: 0.9, class: 'owner' };
  });
}

function criticality(board, { statistics }) {
  // What is critical stands out from the rest of the board, whatever all of it is worth.
  const sorted = [...statistics.criticality].sort((a, b) => a - b);
  const usual = sorted[sorted.length >> 1];
  const range = Math.max(20, sorted.at(-1) - usual);
  squares(board, statistics.criticality, (value) => {
    const share = (value - usual) / range;
    if (share < 0.2) return null;
    return { side: 0.96, fill: '#c2185b', opacity: 0.2 + 0.6 * share, layer: 'under', class: 'critical' };
  });
}

const PLAYER = { black: '#101216', white: '#fffdf6' };

function curve(board, a, b, bend) {
  const p = board.at(a);
  const q = board.at(b);
  const [dx, dy] = [q.cx - p.cx, q.cy - p.cy];
  const length = Math.hypot(dx, dy) || 1;
  const mid = { x: (p.cx + q.cx) / 2 - (dy / length) * bend * length, y: (p.cy + q.cy) / 2 + (dx / length) * bend * length };
  return `M${p.cx} ${p.cy}Q${mid.x} ${mid.y} ${q.cx} ${q.cy}`;
}

function miai(board, { statistics }) {
  for (const pair of statistics.miai) {
    const d = curve(board, pair.x, pair.y, 0.25);
    board.layers.over.append(make('path', { d, fill: 'none', stroke: '#00695c', 'stroke-width': 7, 'stroke-opacity': 0.9, 'stroke-linecap': 'round', class: 'miai' }));
    board.layers.over.append(make('path', { d, fill: 'none', stroke: PLAYER[pair.player], 'stroke-width': 3, 'stroke-linecap': 'round' }));
    for (const end of [pair.x, pair.y]) {
      const { cx, cy } = board.at(end);
      board.layers.over.append(make('circle', { cx, cy, r: 6, fill: PLAYER[pair.player], stroke: '#00695c', 'stroke-width': 2 }));
    }
  }
}

// More arrows for a player than this hide the board.
const ARROWS = 4;

function order(board, { statistics }) {
  const clearest = ['black', 'white'].flatMap((player) => statistics.orders.filter((pair) => pair.player === player).slice(0, ARROWS));
  for (const pair of clearest) {
    const d = curve(board, pair.first, pair.then, -0.15);
    board.layers.over.append(make('path', { d, fill: 'none', stroke: '#6a1b9a', 'stroke-width': 5, 'stroke-opacity': 0.55 }));
    board.layers.over.append(make('path', { d, fill: 'none', stroke: PLAYER[pair.player], 'stroke-width': 2.5, 'marker-end': 'url(#arrow)', class: 'order' }));
  }
}

// Black's groups have capitals, White's small letters, in reading order.
export function letters(sight) {
  const count = { black: 0, white: 0 };
  return sight.groups.map(({ player }) => {
    const place = count[player]++;
    if (place > 25) return '#';
    return String.fromCharCode((player === 'black' ? 65 : 97) + place);
  });
}

function bond(board, link, weak) {
  const [p, q] = link.ends.map((end) => board.at(end));
  const line = { x1: p.cx, y1: p.cy, x2: q.cx, y2: q.cy, 'stroke-linecap': 'round' };
  const dash = weak ? { 'stroke-dasharray': '3 9' } : {};
  board.layers.over.append(make('line', { ...line, ...dash, stroke: weak ? '#b3261e' : '#1d7a6c', 'stroke-width': 9, 'stroke-opacity': 0.85, class: 'link' }));
  board.layers.over.append(make('line', { ...line, ...dash, stroke: PLAYER[link.player], 'stroke-width': 4 }));
}

function links(board, { sight }) {
  for (const link of sight.links) bond(board, link, !link.holds);
}

function groups(board, { sight }, shown) {
  if (!shown.has('links')) for (const link of sight.links) if (link.holds) bond(board, link, false);
  const names = letters(sight);
  sight.groups.forEach((group, i) => {
    for (const eye of group.eyePoints) {
      const { cx, cy } = board.at(eye);
      board.layers.under.append(make('rect', { x: cx - 15, y: cy - 15, width: 30, height: 30, rx: 8, fill: PLAYER[group.player], 'fill-opacity': 0.35 }));
    }
    for (const stone of group.stones) {
      const { cx, cy } = board.at(stone);
      if (group.life !== 'alive') board.layers.over.append(make('circle', { cx, cy, r: CELL * 0.43, fill: 'none', stroke: group.life === 'dead' ? '#d32f2f' : '#f0a020', 'stroke-width': 3, 'stroke-dasharray': group.life === 'dead' ? '4 4' : 'none' }));
      board.layers.over.append(make('circle', { cx, cy, r: 10, fill: PLAYER[group.player] }));
      board.layers.over.append(make('text', { x: cx, y: cy, class: 'text-large group', fill: board.ink(stone) }, names[i]));
    }
  });
}

// What both ways of counting give to a player is drawn larger.
function territory(board, { sight }) {
  squares(board, [...sight.byOwnership], (owner, name) => {
    if (owner === '.' || board.stoneAt(name) === owner) return null;
    const { x, y } = board.place(name);
    const agreed = sight.byLines[y * board.size + x] === owner;
    return { side: agreed ? 0.42 : 0.2, fill: owner === 'X' ? '#0a0a0a' : '#ffffff', opacity: 0.9, class: 'land' };
  });
}

// What a model would play, larger where it is likelier: blue where it likes a move more than the
// other model does, brown where it likes it less. A ring is where it was played.
export function drawModel(board, side, other, played) {
  board.layers.under.replaceChildren();
  board.layers.over.replaceChildren();
  const others = new Map(other.policy);
  const most = Math.max(side.policy[0]?.[1] ?? 1, other.policy[0]?.[1] ?? 1);
  for (const [at, p] of side.policy) {
    const { cx, cy } = board.at(at);
    const much = p - (others.get(at) ?? 0);
    const fill = much > 0.02 ? '#0b4f8a' : much < -0.02 ? '#a04000' : '#5b5b5b';
    const r = CELL * (0.1 + 0.38 * Math.sqrt(p / most));
    board.layers.under.append(make('circle', { cx, cy, r, fill, 'fill-opacity': 0.85, class: 'model' }));
    if (p >= 0.03) board.layers.over.append(make('text', { x: cx, y: cy, class: 'text-small', fill: '#fff' }, percent(p)));
  }
  if (played) {
    const { cx, cy } = board.at(played);
    board.layers.over.append(make('circle', { cx, cy, r: CELL * 0.46, fill: 'none', stroke: '#fff', 'stroke-width': 3 }));
  }
}

export const OVERLAYS = [
  { name: 'candidates', needs: 'insight', draw: candidates, on: true },
  { name: 'model', needs: 'insight', draw: model },
  { name: 'ownership', needs: 'insight', draw: ownership },
  { name: 'criticality', needs: 'statistics', draw: criticality },
  { name: 'miai', needs: 'statistics', draw: miai },
  { name: 'order', needs: 'statistics', draw: order },
  { name: 'groups', needs: 'sight', draw: groups },
  { name: 'links', needs: 'sight', draw: links },
  { name: 'territory', needs: 'sight', draw: territory },
];

// Draws those that are chosen, as far as their data is there.
export function drawOverlays(board, shown, data) {
  board.layers.under.replaceChildren();
  board.layers.over.replaceChildren();
  // The first of the list lies on top.
  for (const overlay of [...OVERLAYS].reverse()) {
    if (shown.has(overlay.name) && data[overlay.needs]) overlay.draw(board, data, shown);
  }
}
