// The board as SVG: grid, stones, marks, and layers that overlays draw on. It knows points and
// pointers, and nothing of the game.

const NS = 'http://www.w3.org/2000/svg';
export const CELL = 40;
const EDGE = 40;
const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';
// Smaller cells than this, in pixels, are hard to hit with a finger: a second tap confirms.
const FINGER = 26;

export function make(name, attributes = {}, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export class Board {
  constructor(host) {
    this.host = host;
    this.size = 0;
    this.cursor = null;
    this.stones = '';
    // Set by whoever uses the board.
    this.onplay = () => {};
    this.onhover = () => {};
    this.oncursor = () => {};
    this.ghostAt = () => null;
    host.addEventListener('keydown', (event) => this.key(event));
  }

  name(x, y) { return LETTERS[x] + (this.size - y); }

  place(name) {
    const x = LETTERS.indexOf(name[0]);
    const y = this.size - Number(name.slice(1));
    return x >= 0 && y >= 0 && y < this.size ? { x, y } : null;
  }

  // Where a point is in the picture.
  at(name) {
    const p = typeof name === 'string' ? this.place(name) : name;
    return { cx: EDGE + p.x * CELL, cy: EDGE + p.y * CELL };
  }

  stoneAt(name) {
    const p = this.place(name);
    return p ? this.stones[p.y * this.size + p.x] : '.';
  }

  names() {
    const all = [];
    for (let y = 0; y < this.size; y++) for (let x = 0; x < this.size; x++) all.push(this.name(x, y));
    return all;
  }

  resize(size, stars) {
    if (size === this.size) return;
    this.size = size;
    this.stones = '';
    const side = 2 * EDGE + (size - 1) * CELL;
    this.window = [0, 0, side];
    const svg = make('svg', { viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true', 'data-size': size });
    const defs = make('defs');
    for (const [id, stops] of [['black-stone', ['#63656d', '#24262b', '#0d0e10']], ['white-stone', ['#ffffff', '#f1eee6', '#c9c4b8']]]) {
      const gradient = make('radialGradient', { id, cx: '.36', cy: '.3', r: '.75' });
      stops.forEach((color, i) => gradient.append(make('stop', { offset: i / 2, 'stop-color': color })));
      defs.append(gradient);
    }
    const arrow = make('marker', { id: 'arrow', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: 'auto-start-reverse' });
    arrow.append(make('path', { d: 'M0 0L10 5L0 10z', fill: 'context-stroke' }));
    defs.append(arrow);
    svg.append(defs);
    const grid = make('g', { class: 'grid', 'stroke-linecap': 'square' });
    const far = EDGE + (size - 1) * CELL;
    for (let i = 0; i < size; i++) {
      const d = EDGE + i * CELL;
      const width = i === 0 || i === size - 1 ? 2 : 1;
      grid.append(make('line', { x1: EDGE, x2: far, y1: d, y2: d, 'stroke-width': width }));
      grid.append(make('line', { y1: EDGE, y2: far, x1: d, x2: d, 'stroke-width': width }));
    }
    svg.append(grid);
    for (const star of stars) {
      const { cx, cy } = this.at(star);
      svg.append(make('circle', { cx, cy, r: 4, class: 'star' }));
    }
    for (let i = 0; i < size; i++) {
      const d = EDGE + i * CELL;
      for (const other of [11, side - 11]) {
        svg.append(make('text', { x: d, y: other, class: 'label' }, LETTERS[i]));
        svg.append(make('text', { x: other, y: d, class: 'label' }, size - i));
      }
    }
    this.layers = {};
    for (const layer of ['under', 'stones', 'marks', 'over', 'line', 'ghost']) {
      this.layers[layer] = make('g', { 'pointer-events': 'none' });
      svg.append(this.layers[layer]);
    }
    this.here = make('rect', { class: 'here keys', width: CELL - 4, height: CELL - 4, rx: 6 });
    svg.append(this.here);
    this.host.replaceChildren(svg);
    this.svg = svg;
    this.cursor = { x: size >> 1, y: size >> 1 };
    this.moveCursor(0, 0, true);
    svg.addEventListener('pointermove', (event) => this.hover(event));
    svg.addEventListener('pointerleave', () => { if (!this.waiting) this.point(null); });
    svg.addEventListener('click', (event) => this.click(event));
  }

  // Shows the part of the board between two points, as a square; all of it without.
  crop(part) {
    const far = this.size - 1;
    const [[left, top], [right, bottom]] = part ?? [[0, 0], [far, far]];
    const lines = Math.min(far, Math.max(right - left, bottom - top));
    // The shorter side grows away from the edge that it touches.
    const from = (low, high) => (low === 0 ? 0 : high === far ? far - lines : Math.max(0, Math.min(low, far - lines)));
    const [x, y] = [from(left, right), from(top, bottom)];
    const ends = (low) => [low === 0 ? 0 : EDGE + (low - 0.5) * CELL, low + lines === far ? 2 * EDGE + far * CELL : EDGE + (low + lines + 0.5) * CELL];
    const [[x0, x1], [y0, y1]] = [ends(x), ends(y)];
    const side = Math.max(x1 - x0, y1 - y0);
    // Where one side touches both edges and the other does not, a little more is seen.
    this.window = [x0 === 0 ? 0 : x1 - side, y0 === 0 ? 0 : y1 - side, side];
    this.svg.setAttribute('viewBox', `${this.window[0]} ${this.window[1]} ${side} ${side}`);
  }

  // The point of the board that an event is at.
  find(event) {
    const box = this.svg.getBoundingClientRect();
    const [left, top, side] = this.window;
    const scale = side / box.width;
    const x = Math.round(((event.clientX - box.left) * scale + left - EDGE) / CELL);
    const y = Math.round(((event.clientY - box.top) * scale + top - EDGE) / CELL);
    return x >= 0 && y >= 0 && x < this.size && y < this.size ? this.name(x, y) : null;
  }

  hover(event) {
    this.finger = event.pointerType === 'touch';
    if (!this.finger) this.point(this.find(event));
  }

  point(name) {
    if (name === this.pointed) return;
    this.pointed = name;
    this.showGhost(name);
    this.onhover(name);
  }

  showGhost(name) {
    const color = name && this.ghostAt(name);
    const layer = this.layers.ghost;
    layer.replaceChildren();
    if (color) layer.append(this.stone(name, color, 'ghost'));
  }

  click(event) {
    const name = this.find(event);
    if (!name) return;
    const cell = (this.svg.getBoundingClientRect().width * CELL) / this.window[2];
    if (event.pointerType === 'touch' && cell < FINGER && this.ghostAt(name) && this.waiting !== name) {
      this.waiting = name;
      this.showGhost(name);
      const { cx, cy } = this.at(name);
      this.layers.ghost.append(make('circle', { cx, cy, r: CELL * 0.9, class: 'here' }));
      this.onhover(name);
      return;
    }
    this.waiting = null;
    this.layers.ghost.replaceChildren();
    this.onplay(name, event);
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) {
      this.moveCursor(...steps[event.key]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.onplay(this.name(this.cursor.x, this.cursor.y), event);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor(dx, dy, quiet) {
    const within = (value) => Math.max(0, Math.min(this.size - 1, value));
    this.cursor = { x: within(this.cursor.x + dx), y: within(this.cursor.y + dy) };
    const { cx, cy } = this.at(this.cursor);
    this.here.setAttribute('x', cx - CELL / 2 + 2);
    this.here.setAttribute('y', cy - CELL / 2 + 2);
    if (!quiet) this.oncursor(this.name(this.cursor.x, this.cursor.y));
  }

  stone(name, color, extra = '') {
    const { cx, cy } = this.at(name);
    const fill = color === 'X' ? 'url(#black-stone)' : 'url(#white-stone)';
    return make('circle', { cx, cy, r: CELL * 0.475, fill, stroke: color === 'X' ? '#000' : '#8f897c', 'stroke-width': 0.7, class: extra });
  }

  showStones(stones, dead) {
    const key = stones + dead.join();
    if (key === this.shown) return;
    this.shown = key;
    this.stones = stones;
    const gone = new Set(dead);
    const list = [];
    [...stones].forEach((color, i) => {
      if (color === '.') return;
      const name = this.name(i % this.size, Math.floor(i / this.size));
      const stone = this.stone(name, color);
      if (gone.has(name)) stone.setAttribute('opacity', 0.4);
      list.push(stone);
    });
    this.layers.stones.replaceChildren(...list);
    this.showGhost(null);
  }

  // A colour that is seen on whatever is at a point.
  ink(name) { return this.stoneAt(name) === 'X' ? '#f5f2ea' : '#1c1405'; }

  showMarks(state) {
    const layer = this.layers.marks;
    layer.replaceChildren();
    if (state.last && state.last !== 'pass') {
      const { cx, cy } = this.at(state.last);
      layer.append(make('circle', { cx, cy, r: CELL * 0.22, fill: 'none', stroke: this.ink(state.last), 'stroke-width': 2.5 }));
    }
    if (state.ko) {
      const { cx, cy } = this.at(state.ko);
      layer.append(make('rect', { x: cx - 8, y: cy - 8, width: 16, height: 16, fill: 'none', stroke: '#7a1d12', 'stroke-width': 2.5 }));
    }
    for (const [name, kind, label] of state.marks) {
      const { cx, cy } = this.at(name);
      const ink = { fill: 'none', stroke: this.ink(name), 'stroke-width': 2.5 };
      if (kind === 'TR') layer.append(make('path', { d: `M${cx} ${cy - 11}L${cx + 10} ${cy + 7}H${cx - 10}Z`, ...ink }));
      if (kind === 'SQ') layer.append(make('rect', { x: cx - 8, y: cy - 8, width: 16, height: 16, ...ink }));
      if (kind === 'CR') layer.append(make('circle', { cx, cy, r: 9, ...ink }));
      if (kind === 'MA') layer.append(make('path', { d: `M${cx - 8} ${cy - 8}L${cx + 8} ${cy + 8}M${cx + 8} ${cy - 8}L${cx - 8} ${cy + 8}`, ...ink }));
      if (kind === 'LB') {
        if (this.stoneAt(name) === '.') layer.append(make('circle', { cx, cy, r: 13, fill: 'var(--wood)' }));
        layer.append(make('text', { x: cx, y: cy, class: 'text-large', fill: this.ink(name) }, label));
      }
    }
    if (state.count) {
      [...state.count.owners].forEach((owner, i) => {
        const name = this.name(i % this.size, Math.floor(i / this.size));
        if (owner === '.' || this.stoneAt(name) === owner) return;
        const { cx, cy } = this.at(name);
        layer.append(make('rect', { x: cx - 6, y: cy - 6, width: 12, height: 12, fill: owner === 'X' ? '#111' : '#fff', stroke: owner === 'X' ? '#000' : '#777' }));
      });
    }
  }

  // A line of moves, numbered, on top of everything.
  showLine(moves, black) {
    const layer = this.layers.line;
    layer.replaceChildren();
    // What else is shown steps back, so that the line can be read.
    for (const name of ['over', 'under']) this.layers[name].setAttribute('opacity', moves?.length ? 0.15 : 1);
    const seen = new Set();
    (moves ?? []).forEach((name, i) => {
      if (name === 'pass' || seen.has(name)) return;
      seen.add(name);
      const color = (i % 2 === 0) === black ? 'X' : 'O';
      const { cx, cy } = this.at(name);
      layer.append(this.stone(name, color));
      layer.append(make('text', { x: cx, y: cy, class: 'text-large', fill: color === 'X' ? '#fff' : '#111' }, i + 1));
    });
  }
}
