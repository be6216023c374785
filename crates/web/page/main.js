// The page: hears how the board stands, shows it, and turns clicks and keys into requests.

import { Board } from './board.js';
import { openLine } from './line.js';
import { OVERLAYS, drawOverlays, letters, view } from './overlays.js';
import { Comparison } from './compare.js';
import { Keeper } from './keeper.js';
import { Problems } from './problems.js';
import { dress, store } from './looks.js';
import { GameTree } from './tree.js';
import { drawGraph } from './graph.js';
import { words } from './words.js';
import { click } from './sound.js';

const $ = (id) => document.getElementById(id);
const say = (key, ...values) => words.say(key, ...values);

let state = null;
let insight = null;
let statistics = null;
let sight = null;
let review = null;
let analysing = false;
let tab = 'play';
let tool = 'play';
let heard = 0;
let asked = false;
// The line that was better than a mistake, shown where it could have been played.
let better = null;
// What was said about a move, so that it can be said in the other language.
let why = null;

const shown = new Set(store.get('overlays', OVERLAYS.filter((o) => o.on).map((o) => o.name)));
const board = new Board($('board'));
let online = false;
const line = openLine(hear, (on) => {
  $('line').textContent = on ? '' : say('offline');
  // What was sent on a line that was cut is not answered.
  if (online && !on) problems.expect(null);
  online = on;
  // Without a line it is not known what would be replaced.
  $('previous-game').disabled = !on;
  if (!on) return;
  keeper.reset();
  // What was being thought ended with the connection.
  wish();
});
const tree = new GameTree($('tree'), go);
const comparison = new Comparison((...request) => line.ask(...request), board, () => { wish(); draw2(); });
const problems = new Problems((...request) => line.ask(...request), board);
const keeper = new Keeper(
  (...request) => line.ask(...request),
  (key, why) => notify(say(key, why && words.refusal(why)), key !== 'restored'),
  (previous, refused) => {
    $('previous-game').hidden = !previous;
    $('save-refused').hidden = !refused;
  },
);
const TABS = ['play', 'inside', 'study', 'problems'];

// ---- what is heard

function hear(message) {
  const { type } = message;
  if (type === 'state') showState(message);
  if (type === 'tree') { keeper.hearTree(); tree.set(message.nodes); if (state) { tree.show(state.node); showStatus(); } }
  if (type === 'insight' && message.node === state?.node) { insight = message; showInsight(); }
  if (type === 'statistics' && message.node === state?.node) { statistics = message; draw(); }
  if (type === 'sight' && message.node === state?.node) { sight = message; draw(); }
  if (type === 'compare' && message.node === state?.node) { comparison.hear(message); draw(); }
  if (type === 'solution' && message.node === state?.node) problems.hearSolution(message);
  if (type === 'why' && message.node === state?.node) showWhy(message);
  if (type === 'review') { review = message; showReview(); }
  if (type === 'record') keep(message.text);
  if (type === 'kept') {
    keeper.hearKept(message);
    document.body.dataset.kept = message.game.here;
  }
  if (type === 'note') notify(words.refusal(message.note), true);
  if (type === 'refused') hearRefused(message);
}

function hearRefused({ why, of }) {
  if (of === 'kept') return keeper.hearRefused(why);
  if (of === 'record') problems.expect(null);
  const text = words.refusal(why);
  notify(of === 'record' ? say('unreadable', text) : text, true);
  announce(text, true);
}

// Says something at the top of the window, wherever the page is scrolled to.
let noticed = 0;
function notify(text, bad) {
  $('notice').hidden = false;
  $('notice').classList.toggle('bad', bad);
  $('notice-words').textContent = text;
  clearTimeout(noticed);
  noticed = setTimeout(() => { $('notice').hidden = true; }, 12000);
}
$('notice-close').addEventListener('click', () => { $('notice').hidden = true; });

function announce(text, visibly) {
  $('live').textContent = text;
  if (visibly) {
    $('status').textContent = text;
    setTimeout(() => state && showStatus(), 2500);
  }
}

const colorName = (color) => say(color);
const other = (color) => (color === 'black' ? 'white' : 'black');

function showState(next) {
  const before = state;
  const returning = keeper.hearState(next);
  state = next;
  heard = performance.now();
  if (aim === next.node) aim = null;
  // Two problems may begin with the same stones.
  const problem = (one) => `${one.records} ${one.problem?.number}`;
  const moved = !before || before.node !== next.node || before.board !== next.board || problem(before) !== problem(next);
  if (moved || before.stones !== next.stones) {
    insight = null;
    statistics = null;
    sight = null;
    why = null;
    comparison.clear();
    $('why').hidden = true;
    $('verdict').textContent = '';
    $('candidates').tBodies[0].replaceChildren();
    board.layers && board.showLine(null);
  }
  board.resize(next.size, next.stars);
  board.showStones(next.stones, next.count?.dead ?? []);
  board.showMarks(next);
  comparison.showState(next);
  problems.showState(next, tab === 'problems');
  draw();
  if (better?.node === next.node) board.showLine(better.line, better.black);
  else if (aim !== better?.node) better = null;
  showPlayers();
  showStatus();
  $('number').textContent = next.number;
  $('counting').hidden = next.phase !== 'scoring';
  if (next.count) showCount(next.count);
  // For style sheets, and for whoever tests the page.
  Object.assign(document.body.dataset, { phase: next.phase, thinking: next.thinking, node: next.node, records: next.records });
  const playing = next.phase === 'playing';
  const counting = next.phase === 'scoring' || next.phase === 'judging';
  const over = next.phase === 'over';
  $('pass').disabled = counting || over || (playing && (next.thinking || !next.live));
  $('undo').disabled = next.number === 0 || over;
  $('score').disabled = counting || over;
  $('resign').disabled = !playing || !next.people.some(Boolean);
  $('to-lab').hidden = !next.lab;
  showWords();
  showOver();
  showFacts();
  if (document.activeElement !== $('comment') || moved) $('comment').value = next.comment ?? '';
  const h = next.header;
  const player = (name, rank) => [h[name], h[rank]].filter(Boolean).join(' ');
  const players = [player('PB', 'BR'), player('PW', 'WR')].filter(Boolean).join(' – ');
  $('header').textContent = [players, h.EV, h.DT, h.RE].filter(Boolean).join(' · ');
  if (next.note) announce(words.refusal(next.note), true);
  if (tree.nodes.size) { if (moved) tree.remember(next.node); tree.show(next.node); }
  drawGraph($('graph'), review, next.node, go);
  // A quick answer may come together with the move it answers.
  const made = before ? next.number - before.number : 0;
  if (moved && next.last && (made === 1 || made === 2)) {
    const taken = next.captures[0] + next.captures[1] - before.captures[0] - before.captures[1];
    const text = say('played', colorName(other(next.toMove)), next.last === 'pass' ? say('pass') : next.last);
    announce(taken > 0 ? `${text}, ${say('captured', taken)}` : text);
    if (store.get('sound', false)) click(taken > 0);
  }
  if (before && before.phase !== next.phase && next.result && over) announce(say('over', resultText(next.result)));
  if (!asked && next.fresh && !returning && $('notice').hidden) { asked = true; setTimeout(() => !$('new-dialog').open && openNew(), 150); }
  asked = true;
}

function showOver() {
  const over = state.phase === 'over' && ['play', 'study'].includes(tab);
  $('over').hidden = !over;
  $('over-words').textContent = over ? resultText(state.result) : '';
}

function showWords() {
  $('said').hidden = !state.words;
  $('words').textContent = state.words?.[words.language] ?? '';
}

function resultText(result) {
  const [, who, how] = /^([BW])\+(.*)$/i.exec(result) ?? [];
  if (!who) return result === '0' || result === 'Draw' ? say('draw') : result;
  const name = colorName(who.toUpperCase() === 'B' ? 'black' : 'white');
  if (/^R/i.test(how)) return say('byResign', name);
  if (/^T/i.test(how)) return say('byTime', name);
  return /^[\d.]+$/.test(how) ? say('byPoints', name, how) : result;
}

function showPlayers() {
  ['black', 'white'].forEach((color, i) => {
    const place = $(color);
    const named = state.header[color === 'black' ? 'PB' : 'PW'];
    const who = state.phase === 'study' && named ? named : state.people[i] ? (state.people[1 - i] ? colorName(color) : say('person')) : state.level ? `Harie ${state.level}` : 'Harie';
    place.querySelector('.who').textContent = who;
    const taken = place.querySelector('.taken');
    taken.textContent = state.captures[i] ? say('taken', state.captures[i]) : '';
    place.classList.toggle('turn', state.toMove === color && !['scoring', 'over'].includes(state.phase));
  });
  showClocks();
}

function showClocks() {
  for (const color of ['black', 'white']) {
    const place = $(color).querySelector('.clock');
    const c = state?.clock?.[color];
    if (!c) { place.textContent = ''; continue; }
    let { time, periods, overtime } = c;
    if (state.clock.running === color) {
      time -= (performance.now() - heard) / 1000;
      while (time <= 0 && periods > 0) {
        if (overtime) periods--;
        overtime = true;
        if (periods > 0) time += state.clock.period;
      }
      if (time <= 0 && !state.flagged) { state.flagged = true; line.ask('flag'); }
    }
    const seconds = Math.max(0, Math.ceil(time));
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    place.textContent = overtime ? `${text} (${periods})` : text;
    place.classList.toggle('low', seconds <= 10 && (overtime || !periods));
  }
}
setInterval(() => state?.clock && showClocks(), 200);

function showStatus() {
  const { phase, thinking, result, toMove } = state;
  $('status').textContent = tab === 'problems' && state.problem ? problems.verdict()
    : phase === 'judging' ? say('judging')
    : phase === 'scoring' ? `${say('counting')}: ${resultText(state.count.result)}`
    : thinking ? say('engineThinks')
    : phase === 'over' || (phase === 'study' && result && !tree.nodes.get(state.node)?.children.length) ? say('over', resultText(result))
    : say('yourTurn', colorName(toMove)) + (state.ko ? ` (${say('ko')} ${state.ko})` : '');
}

function showCount(count) {
  $('sum-black').textContent = count.black;
  $('sum-white').textContent = `${count.white} + ${count.komi}${count.bonus ? ` + ${count.bonus}` : ''}`;
  $('sum-result').textContent = resultText(count.result);
}

function showFacts() {
  const rows = [['size', `${state.size}×${state.size}`], ['rules', ruleName(state.rules)], ['komi', state.komi]];
  if (state.handicap) rows.push(['handicap', state.handicap]);
  if (state.people.includes(false)) rows.push(['level', state.level ?? say('full')]);
  $('facts').replaceChildren(...rows.flatMap(([key, value]) => {
    const dt = document.createElement('dt');
    const dd = document.createElement('dd');
    dt.textContent = say(key);
    dd.textContent = value;
    return [dt, dd];
  }));
}

const ruleName = (rules) => ({ chinese: say('chinese'), japanese: say('japanese'), korean: say('korean'), 'new-zealand': say('newZealand'), aga: 'AGA', 'tromp-taylor': 'Tromp-Taylor' })[rules] ?? rules;

// ---- looking inside

const visitsOf = (step) => Math.round(100 * 10 ** (step / 4) / 10) * 10;

function draw() {
  // While a game is played against the engine, it shows what it thinks to those only who look.
  const looking = tab === 'inside';
  const comparing = comparison.on;
  drawOverlays(board, looking && !comparing ? shown : new Set(), { insight, statistics, sight });
  if (comparing) comparison.show();
  showSight(looking && !comparing);
  const rate = $('rate');
  rate.hidden = !(looking && insight);
  if (insight && looking) {
    rate.firstElementChild.style.width = `${100 * insight.winrate}%`;
    rate.setAttribute('aria-label', verdict());
  }
}

// What the overlays of links, groups and territory mean, in words and numbers.
function showSight(looking) {
  const seen = looking && sight;
  const texts = [];
  if (seen && shown.has('territory')) {
    const [lines, owned] = sight.areas;
    texts.push(say('land', owned[0], owned[1], lines[0], lines[1]));
  }
  if (seen && shown.has('links')) texts.push(say('linksHelp'));
  $('land').textContent = texts.join(' ');
  $('land').hidden = !texts.length;
  const listed = seen && shown.has('groups');
  $('groups').hidden = !listed;
  if (!listed) return;
  const names = letters(sight);
  const rows = sight.groups.map((group, i) => {
    const row = document.createElement('tr');
    for (const text of [`${names[i]} ${colorName(group.player)}`, group.stones.length, group.liberties, group.eyes, `${Math.round(100 * group.survives)} % ${say(group.life)}`]) {
      const cell = document.createElement('td');
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
  $('groups').tBodies[0].replaceChildren(...rows);
}

function verdict() {
  const black = insight.winrate >= 0.5;
  const lead = insight.score >= 0 ? 'black' : 'white';
  return say('wins', colorName(black ? 'black' : 'white'), Math.round(100 * (black ? insight.winrate : 1 - insight.winrate)), say('ahead', colorName(lead), Math.abs(insight.score).toFixed(1)));
}

function showInsight() {
  draw();
  $('verdict').textContent = `${verdict()} · ${insight.visits.toLocaleString()}`;
  const listed = insight.candidates.slice(0, 8);
  const body = $('candidates').tBodies[0];
  // Rows stay and change what they say: a row that was replaced under a click would not hear it.
  while (body.rows.length > listed.length) body.rows[listed.length].remove();
  while (body.rows.length < listed.length) body.append(candidateRow());
  listed.forEach((c, i) => {
    const row = body.rows[i];
    row.dataset.at = c.at;
    const cells = [c.at, `${(100 * view(insight, c.winrate)).toFixed(1)} %`, (insight.toMove === 'black' ? c.score : -c.score).toFixed(1), c.visits.toLocaleString(), `${(100 * c.prior).toFixed(1)} %`];
    cells.forEach((text, j) => { (j === 0 ? row.cells[0].firstChild : row.cells[j]).textContent = text; });
    row.cells[0].firstChild.setAttribute('aria-label', `${c.at}: ${c.line.join(' ')}`);
  });
  const row = [...body.rows].find((one) => one.matches(':hover') || one.contains(document.activeElement));
  showLineOf(row ? row.dataset.at : board.pointed ?? board.waiting);
}

function candidateRow() {
  const row = document.createElement('tr');
  for (let i = 0; i < 5; i++) row.append(document.createElement('td'));
  const button = document.createElement('button');
  button.type = 'button';
  row.cells[0].append(button);
  const expect = () => showLineOf(row.dataset.at);
  row.addEventListener('pointerenter', expect);
  row.addEventListener('focusin', expect);
  row.addEventListener('focusout', () => board.showLine(null));
  row.addEventListener('click', () => { expect(); askWhy(row.dataset.at); });
  return row;
}

const askWhy = (at) => at !== 'pass' && line.ask('why', { at });
$('candidates').addEventListener('pointerleave', () => board.showLine(null));

function showLineOf(at) {
  const found = tab === 'inside' && insight?.candidates.find((c) => c.at === at);
  board.showLine(found ? found.line : null, insight?.toMove === 'black');
}

function showWhy(told) {
  why = told;
  $('why').hidden = false;
  $('why-title').textContent = say('whyTitle', told.at);
  $('why-words').textContent = told.words[words.language].join(words.language === 'ja' ? '' : ' ');
  const item = (text, kind) => {
    const li = document.createElement('li');
    li.textContent = text;
    if (kind) li.className = kind;
    return li;
  };
  const list = told.reasons.map(([text, weight]) => item(`${text[words.language]} (×${weight < 0.1 ? weight.toFixed(3) : weight.toFixed(2)})`, weight >= 1 ? 'for' : 'against'));
  list.unshift(told.rank ? item(say('rank', told.rank, (100 * told.probability).toFixed(1))) : item(say('illegal')));
  $('reasons').replaceChildren(...list);
  announce(`${say('whyTitle', told.at)} ${told.words[words.language][0] ?? told.reasons[0]?.[0][words.language] ?? ''}`);
}

// Tells the server what is to be thought about.
function wish() {
  const visits = visitsOf(Number($('visits').value));
  line.ask('analyse', { on: analysing && tab === 'inside', visits });
  const counting = analysing && tab === 'inside' && OVERLAYS.some((o) => o.needs === 'statistics' && shown.has(o.name));
  line.ask('statistics', { on: counting });
  // Nothing has to be thought to see this.
  line.ask('sight', { on: tab === 'inside' && OVERLAYS.some((o) => o.needs === 'sight' && shown.has(o.name)) });
  comparison.wish();
  $('analyse').setAttribute('aria-pressed', analysing);
}

function showVisits() { $('visits-out').textContent = visitsOf(Number($('visits').value)).toLocaleString(); }

function makeOverlays() {
  const labels = OVERLAYS.map(({ name }) => {
    const label = document.createElement('label');
    const box = document.createElement('input');
    const text = document.createElement('span');
    box.type = 'checkbox';
    box.id = `show-${name}`;
    box.checked = shown.has(name);
    box.addEventListener('change', () => {
      if (box.checked) shown.add(name);
      else shown.delete(name);
      store.set('overlays', [...shown]);
      draw();
      wish();
    });
    text.dataset.say = name;
    label.append(box, text);
    return label;
  });
  $('overlays').append(...labels);
}

// ---- studying

const TOOLS = [['play', '●○', 'toolPlay'], ['black', '●', 'toolBlack'], ['white', '○', 'toolWhite'], ['empty', '⌫', 'toolEmpty'], ['TR', '△', 'toolTR'], ['SQ', '□', 'toolSQ'], ['CR', '◯', 'toolCR'], ['MA', '✕', 'toolMA'], ['LB', 'A', 'toolLB']];

function makeTools() {
  const buttons = TOOLS.map(([name, sign, key]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.dataset.title = key;
    button.dataset.tool = name;
    button.setAttribute('role', 'radio');
    button.setAttribute('aria-checked', name === tool);
    button.addEventListener('click', () => {
      tool = name;
      for (const b of buttons) b.setAttribute('aria-checked', b === button);
    });
    return button;
  });
  $('tools').append(...buttons);
}

// Where we are, or will be when the server has heard of it: keys come faster than answers.
let aim = null;
const here = () => aim ?? state.node;

function go(node) {
  if (!state || node === undefined || node === here()) return;
  aim = node;
  setTimeout(() => { if (aim === node) aim = null; }, 1000);
  line.ask('go', { node });
}

function walk(where) {
  if (!state) return;
  const by = { first: -1e9, back10: -10, back: -1, forth: 1, forth10: 10, last: 1e9 }[where];
  go(tree.step(here(), by));
}

// How far the review is; at its end too, so that nobody waits for more.
function reviewProgress(mistakes) {
  const { running, done, total } = review;
  if (done < total) return say(running ? 'reviewing' : 'reviewStopped', done, total);
  if (running) return say('reviewAgain', total);
  return mistakes ? say('reviewed', total) : `${say('reviewed', total)} ${say('noMistakes')}`;
}

function showReview() {
  if (!state) return;
  drawGraph($('graph'), review, state.node, go);
  $('review').textContent = say(review.running ? 'stopReview' : 'review');
  $('annotate').hidden = review.running || !review.mistakes?.length;
  const items = (review.mistakes ?? []).map((m) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const part = (name, text) => {
      const span = document.createElement('span');
      span.className = name;
      span.textContent = text;
      return span;
    };
    button.type = 'button';
    button.append(part(`stone ${m.color}`, ''), part('', `${m.number}. ${m.played}`), part('loss', `−${Math.round(100 * m.loss)} %`), part('line', say('better', m.line.slice(0, 5).join(' '))));
    button.setAttribute('aria-label', `${m.number}. ${colorName(m.color)} ${m.played}, −${Math.round(100 * m.loss)} %, ${say('better', m.line[0])}`);
    button.addEventListener('click', () => {
      const before = tree.nodes.get(m.node)?.parent ?? m.node;
      better = { node: before, line: m.line, black: m.color === 'black' };
      if (before === state.node) board.showLine(better.line, better.black);
      go(before);
    });
    item.append(button);
    return item;
  });
  if (review.total) {
    const item = document.createElement('li');
    item.className = 'progress';
    item.textContent = reviewProgress(items.length);
    items.push(item);
  }
  $('mistakes').replaceChildren(...items);
}

// Does what takes the game off the board, if there is none or it may go.
let replace = null;
function replacing(act) {
  // Before anything was heard, nothing is known of the board.
  if (state && !state.worthKeeping) return act();
  replace = act;
  $('replace-help').dataset.say = keeper.tooLarge ? 'replaceTooLarge' : 'replaceHelp';
  words.apply($('replace-dialog'));
  $('replace-dialog').returnValue = '';
  if (!$('replace-dialog').open) $('replace-dialog').showModal();
}
$('replace-dialog').addEventListener('close', () => {
  if ($('replace-dialog').returnValue !== 'replace') return;
  // With its last move, so that it can come back.
  keeper.refresh();
  replace();
});

// The bytes of a file, unpacked if it is a .gz; of a long one as many as show that it is too long.
async function unpacked(file, most) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return file.arrayBuffer();
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts = [];
  for (let length = 0; length <= most;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  reader.cancel();
  return new Blob(parts).arrayBuffer();
}

async function load(source) {
  asked = true;
  if ($('new-dialog').open) $('new-dialog').close('cancel');
  const file = source instanceof Blob ? source : new Blob([source]);
  const bytes = await unpacked(file, state?.largest ?? Infinity).catch(() => null);
  if (!bytes) return hearRefused({ why: 'it could not be read', of: 'record' });
  // A longer message would end the connection.
  if (bytes.byteLength > state?.largest) {
    return hearRefused({ why: `it has more than ${Math.floor(state.largest / 1024)} KiB`, of: 'record' });
  }
  replacing(() => {
    line.load(bytes);
    problems.expect((found) => {
      announce(say('loaded'));
      const wanted = found ? 'problems' : 'study';
      if (tab === wanted) return false;
      show(wanted);
      return true;
    });
  });
}

function keep(text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-go-sgf' }));
  const h = state?.header ?? {};
  const name = [h.DT, h.PB, h.PW].filter(Boolean).join('-').replace(/[^\p{L}\p{N}-]+/gu, '_');
  link.download = `${name || 'harie'}.sgf`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  announce(say('saved'));
}

// ---- the board

board.ghostAt = (name) => {
  if (!state || board.stoneAt(name) !== '.') return null;
  if (tab === 'problems' && state.problem && !problems.open) return null;
  if (['scoring', 'judging'].includes(state.phase) || state.thinking) return null;
  if (state.phase === 'over' && tab !== 'study') return null;
  if (tab === 'study' && tool !== 'play') return { black: 'X', white: 'O' }[tool] ?? null;
  if (state.phase === 'playing' && !state.people[state.toMove === 'black' ? 0 : 1]) return null;
  if (state.forbidden.some(([point]) => point === name)) return null;
  return state.toMove === 'black' ? 'X' : 'O';
};

board.onplay = (at) => {
  if (!state) return;
  if (state.phase === 'scoring') return line.ask('dead', { at });
  const over = state.phase === 'over';
  if (over && tab !== 'study') return hearRefused({ why: 'the game is over; study it to go on' });
  const setup = tab === 'study' && ['black', 'white', 'empty'].includes(tool);
  if (tab === 'study' && tool !== 'play' && !setup) return line.ask('mark', { at, mark: tool });
  if (!setup && (over || state.phase === 'study') && board.stoneAt(at) !== '.') {
    return announce(words.refusal('the point is occupied'), true);
  }
  // A position that was set up is studied: the engine does not answer there.
  if (setup && isAgainstEngine() && !confirm(say('confirmSetup'))) return;
  // Whoever puts a stone there wants to study it.
  if (over) line.ask('study');
  if (setup) return line.ask('setup', { at, stone: tool });
  if (tab === 'problems' && state.problem) return problems.play(at);
  line.ask('play', { at });
};

// Whether a game with the engine is under way.
const isAgainstEngine = () => state.phase === 'playing' && state.worthKeeping && state.people.includes(false);

board.onhover = (at) => showLineOf(at);

board.oncursor = (at) => {
  const stone = { X: colorName('black'), O: colorName('white'), '.': say('empty') }[board.stoneAt(at)];
  const c = tab === 'inside' && insight?.candidates.find((found) => found.at === at);
  announce(`${at} ${stone}${c ? `, ${Math.round(100 * view(insight, c.winrate))} %` : ''}`);
  showLineOf(at);
};

let wheeled = 0;
$('board').addEventListener('wheel', (event) => {
  // In a game that is being played the wheel scrolls, or a slip would leave it.
  // Nor does it tell the answer of a problem.
  if (!state || tab === 'problems' || (state.live && tab !== 'study')) return;
  event.preventDefault();
  const now = performance.now();
  if (now - wheeled < 40) return;
  wheeled = now;
  walk(event.deltaY > 0 ? 'forth' : 'back');
}, { passive: false });

// ---- buttons, tabs, keys

function show(name) {
  tab = name;
  for (const other of TABS) {
    const on = other === name;
    $(`tab-${other}`).setAttribute('aria-selected', on);
    $(`tab-${other}`).tabIndex = on ? 0 : -1;
    $(`pane-${other}`).hidden = !on;
  }
  if (state) {
    problems.showState(state, name === 'problems');
    comparison.showState(state);
    showStatus();
    showOver();
  }
  draw2();
  wish();
  if (name === 'study' && state) tree.show(state.node);
}
const draw2 = () => { if (state) { board.showLine(null); draw(); } };

for (const name of TABS) {
  $(`tab-${name}`).addEventListener('click', () => show(name));
  $(`tab-${name}`).addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
    if (!by) return;
    const next = TABS[(TABS.indexOf(name) + by) % TABS.length];
    show(next);
    $(`tab-${next}`).focus();
    event.preventDefault();
    event.stopPropagation();
  });
}

$('previous-game').addEventListener('click', () => {
  // What cannot be kept does not come back.
  if (keeper.tooLarge) replacing(() => keeper.swap());
  else keeper.swap();
});
$('save-refused').addEventListener('click', () => keep(keeper.takeRefused()));
$('study-game').addEventListener('click', () => { line.ask('study'); show('study'); });
$('pass').addEventListener('click', () => line.ask('play', { at: 'pass' }));
$('undo').addEventListener('click', () => line.ask('undo'));
$('score').addEventListener('click', () => line.ask('score'));
$('resign').addEventListener('click', () => confirm(say('confirmResign')) && line.ask('resign'));
$('accept').addEventListener('click', () => line.ask('accept'));
$('resume').addEventListener('click', () => line.ask('resume'));
$('analyse').addEventListener('click', think);
function think() {
  analysing = !analysing;
  if (tab !== 'inside') { analysing = true; show('inside'); } else wish();
}
$('visits').addEventListener('input', showVisits);
$('visits').addEventListener('change', () => { store.set('visits', $('visits').value); wish(); });
for (const id of ['open', 'open-problems']) $(id).addEventListener('click', () => $('file').click());
$('file').addEventListener('change', () => { if ($('file').files[0]) load($('file').files[0]); $('file').value = ''; });
for (const id of ['paste', 'paste-problems']) $(id).addEventListener('click', () => { $('paste-text').value = ''; $('paste-dialog').showModal(); });
$('first-problems').addEventListener('click', async () => {
  const answer = await fetch('/problems.sgf').catch(() => null);
  if (answer?.ok) load(await answer.blob());
});
$('paste-dialog').addEventListener('close', () => { if ($('paste-dialog').returnValue === 'load') load($('paste-text').value); });
$('save').addEventListener('click', () => line.ask('save'));
$('promote').addEventListener('click', () => promote());
function promote() {
  // Every fork on the way here is decided for this line.
  for (const node of tree.path(state.node).slice(1)) {
    if (tree.nodes.get(tree.nodes.get(node).parent).children[0] !== node) line.ask('promote', { node });
  }
}
$('delete').addEventListener('click', () => {
  const after = tree.below(state.node);
  if (!after || confirm(say('confirmDelete', after))) line.ask('delete', { node: state.node });
});
$('from-here').addEventListener('click', () => {
  const you = state.toMove === 'black' ? [true, false] : [false, true];
  line.ask('seats', { people: you, level: levelOf(), seconds: Number(form.seconds.value) });
  show('play');
});
$('comment').addEventListener('change', () => line.ask('comment', { node: state.node, text: $('comment').value }));
$('review').addEventListener('click', () => line.ask('review', { on: !review?.running, visits: Math.min(visitsOf(Number($('visits').value)), 400) }));
$('annotate').addEventListener('click', () => line.ask('annotate', { language: words.language }));
for (const button of document.querySelectorAll('[data-walk]')) button.addEventListener('click', () => walk(button.dataset.walk));

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
  if (event.target.closest('input, textarea, select, dialog')) return;
  const keys = {
    p: () => $('pass').disabled || line.ask('play', { at: 'pass' }), u: () => $('undo').disabled || line.ask('undo'), a: think, n: openNew,
    ',': () => walk('back'), '.': () => walk('forth'), PageUp: () => walk('back10'), PageDown: () => walk('forth10'), Home: () => walk('first'), End: () => walk('last'),
    ArrowLeft: () => walk('back'), ArrowRight: () => walk('forth'), ArrowUp: () => go(tree.sibling(here(), -1)), ArrowDown: () => go(tree.sibling(here(), 1)),
  };
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  // The arrows scroll the page unless a game is being looked through.
  if (event.key.startsWith('Arrow') && tab !== 'study' && !event.target.closest('.walk')) return;
  event.preventDefault();
  act();
});

for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    if (![...(event.dataTransfer?.types ?? [])].some((t) => t === 'Files' || t === 'text/plain')) return;
    event.preventDefault();
    $('drop').hidden = kind !== 'dragover';
    if (kind !== 'drop') return;
    const file = event.dataTransfer.files[0];
    const text = event.dataTransfer.getData('text/plain');
    if (file || text) load(file ?? text);
  });
}
document.addEventListener('paste', (event) => {
  if (event.target.closest('input, textarea')) return;
  const text = event.clipboardData.getData('text/plain');
  if (text.includes('(;')) load(text);
});

// ---- a new game

const form = $('new-form').elements;
const LEVELS = ['20k', '18k', '16k', '14k', '12k', '10k', '8k', '6k', '4k', '2k', '1d', '3d'];
const REMEMBERED = ['board', 'size', 'people', 'level', 'seconds', 'rules'];
const levelOf = () => form.level.value || null;
const sizeOf = () => Number(form.board.value === 'other' ? form.size.value : form.board.value);

function usualKomi() {
  if (Number(form.handicap.value) >= 2) return 0.5;
  const territory = ['japanese', 'korean'].includes(form.rules.value);
  return territory ? 6.5 : sizeOf() <= 9 ? 7 : 7.5;
}

function fillNew() {
  const level = form.level.value;
  form.level.replaceChildren(...LEVELS.map((l) => new Option(l, l)), new Option(say('full'), ''));
  form.level.value = level;
  const stones = form.handicap.value || '0';
  const side = sizeOf();
  const most = side < 7 ? 0 : side === 7 || side % 2 === 0 ? 4 : 9;
  form.handicap.replaceChildren(new Option(say('noHandicap'), '0'), ...[2, 3, 4, 5, 6, 7, 8, 9].filter((n) => n <= most).map((n) => new Option(say('stones', n), n)));
  form.handicap.value = Number(stones) <= most ? stones : '0';
  form.size.hidden = form.board.value !== 'other';
  document.querySelector('.clock-fields').hidden = !form.clock.checked;
}

function openNew() {
  fillNew();
  $('new-dialog').returnValue = '';
  $('new-dialog').showModal();
}

$('new').addEventListener('click', openNew);
$('new-form').addEventListener('change', (event) => {
  fillNew();
  if (['board', 'size', 'rules', 'handicap'].includes(event.target.name)) form.komi.value = usualKomi();
});
$('new-dialog').addEventListener('close', () => {
  if ($('new-dialog').returnValue !== 'begin') return;
  const who = form.people.value === 'random' ? ['black', 'white'][Math.floor(Math.random() * 2)] : form.people.value;
  const people = { black: [true, false], white: [false, true], both: [true, true], none: [false, false] }[who];
  const clock = form.clock.checked ? { main: 60 * Number(form.main.value), period: Number(form.period.value), periods: Number(form.periods.value) } : null;
  const fields = { size: sizeOf(), people, level: levelOf(), seconds: Number(form.seconds.value), rules: form.rules.value, komi: Number(form.komi.value), handicap: Number(form.handicap.value), clock };
  store.set('new', Object.fromEntries(REMEMBERED.map((name) => [name, form[name].value])));
  replacing(() => {
    line.ask('new', fields);
    show('play');
    $('board').focus();
  });
});

// ---- looks

$('sound').addEventListener('click', () => {
  store.set('sound', !store.get('sound', false));
  $('sound').setAttribute('aria-pressed', store.get('sound', false));
});

// Says everything again in the language of the page.
function sayAll() {
  $('board').setAttribute('aria-label', say('size'));
  fillNew();
  comparison.fill();
  if (!state) return;
  showPlayers();
  showStatus();
  showFacts();
  showWords();
  showOver();
  if (review) showReview();
  if (insight) showInsight();
  if (why) showWhy(why);
  problems.showState(state, tab === 'problems');
  draw();
}

makeOverlays();
makeTools();
$('visits').value = store.get('visits', 8);
$('sound').setAttribute('aria-pressed', store.get('sound', false));
showVisits();
fillNew();
form.level.value = '20k';
for (const [name, value] of Object.entries(store.get('new', {}))) if (REMEMBERED.includes(name)) form[name].value = value;
form.komi.value = usualKomi();
dress(sayAll);
