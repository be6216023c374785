// Problems: one of a set is on the board, moves are tried, and the file answers.

import { words } from './words.js';
import { store } from './looks.js';

const $ = (id) => document.getElementById(id);
const say = (key, ...values) => words.say(key, ...values);
const MARKS = { '+': ['solved', 'markSolved'], '/': ['late', 'markLate'], '-': ['failed', 'markFailed'], '.': ['', 'markOpen'] };
// Longer sets are shown as a window around the present problem.
const LISTED = 100;

export class Problems {
  // `ask` sends a request.
  constructor(ask, board) {
    this.ask = ask;
    this.board = board;
    this.now = null;
    this.shown = '';
    $('problem-back').addEventListener('click', () => this.go(-1));
    $('problem-next').addEventListener('click', () => this.go(1));
    $('problem-again').addEventListener('click', () => this.go(0));
    $('solve').addEventListener('click', () => {
      this.solution = { asked: true };
      this.showSolution();
      this.ask('solve');
    });
    $('whole-board').checked = store.get('wholeBoard', false);
    $('whole-board').addEventListener('change', () => {
      store.set('wholeBoard', $('whole-board').checked);
      this.frame(true);
    });
  }

  // A record was sent: `found` is told whether it is one of problems when the server has read it, and says
  // whether it showed that by itself.
  expect(found) { this.found = found; }

  get open() { return this.now?.open ?? false; }

  go(by) {
    if (!this.now) return;
    const number = Math.max(0, Math.min(this.now.marks.length - 1, this.now.number + by));
    this.ask('problem', { number });
  }

  play(at) {
    if (this.open) this.ask('try', { at });
  }

  frame(on) {
    if (!this.board.svg) return;
    this.board.crop(on && this.now && !$('whole-board').checked ? this.now.part : null);
  }

  showState(state, on) {
    this.now = state.problem;
    const read = state.records !== this.records;
    this.records = state.records;
    if (read && this.found) {
      const { found } = this;
      this.found = null;
      if (found(Boolean(this.now))) return;
    }
    this.frame(on);
    $('problem').hidden = !this.now;
    $('problems-help').hidden = Boolean(this.now);
    $('solver').hidden = !state.solver;
    // What the solver said is about one position.
    const place = [state.records, this.now?.number, state.node, state.stones, state.toMove].join();
    if (place !== this.place) this.solution = null;
    this.place = place;
    this.showSolution();
    if (!this.now || !on) return;
    const { number, marks, name, collection, level, said } = this.now;
    // Files often have no better name than the number.
    const title = /^\d+$/.test(name) ? say('problemName', name) : name;
    $('problem-title').textContent = say('problemTitle', number + 1, marks.length, title);
    $('problem-from').textContent = [collection, level].filter(Boolean).join(' · ');
    $('problem-verdict').textContent = this.verdict();
    $('problem-verdict').className = `verdict ${{ right: 'right', on: 'right', wrong: 'wrong', unknown: 'wrong' }[said] ?? ''}`;
    $('problem-comment').textContent = this.now.comment ?? '';
    $('problem-back').disabled = number === 0;
    $('problem-next').disabled = number === marks.length - 1;
    const count = (mark) => marks.split(mark).length - 1;
    $('problem-score').textContent = say('problemScore', count('+'), count('/'), count('.') + count('-'));
    this.list(number, marks);
  }

  hearSolution(message) {
    this.solution = message;
    this.showSolution();
  }

  // What the solver says: the outcome, and each move that it read with how play goes on.
  showSolution() {
    const { solution } = this;
    $('solution').hidden = !solution;
    if (!solution) return;
    const { solved, toMove } = solution;
    const color = toMove && say(toMove);
    const best = solved?.moves[0]?.at;
    const goal = solved?.kills ? 'kill' : 'live';
    const outcome = solved && ['works', 'fails'].includes(solved.outcome) ? `${solved.outcome}_${goal}` : solved?.outcome;
    const text = solution.asked ? say('solving') : solved ? say(`proof_${outcome}`, color, best) : say('unsolved');
    $('solution-words').textContent = [text, solved ? this.others(solved) : ''].filter(Boolean).join(' ');
    const items = (solved?.moves ?? []).slice(0, 12).map(({ at, outcome: end, line }) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.type = 'button';
      button.className = { works: 'for', fails: 'against' }[end] ?? '';
      button.textContent = `${at}: ${say(`end_${end}`)}`;
      const show = () => this.board.showLine(line.length ? line : [at], toMove === 'black');
      button.addEventListener('click', show);
      button.addEventListener('pointerenter', show);
      button.addEventListener('focus', show);
      for (const kind of ['pointerleave', 'blur']) button.addEventListener(kind, () => this.board.showLine(null));
      item.append(button);
      return item;
    });
    $('solution-moves').replaceChildren(...items);
  }

  // What is known of the moves beside the answer. Where nothing is decided, no more has to be said.
  others({ outcome, proved, unknown }) {
    if (outcome === 'open') return '';
    if (unknown) return say(proved ? 'provedAmongRead' : 'unknownMoves', unknown);
    return proved ? say('proved') : '';
  }

  // What is to be done, or how it went.
  verdict() {
    const turn = say(this.now.toPlay === 'black' ? 'toPlayBlack' : 'toPlayWhite');
    return { open: turn, on: say('goesOn'), right: say('solved'), wrong: say('failed'), unknown: say('unknown'), none: `${turn} ${say('noAnswer')}` }[this.now.said];
  }

  list(number, marks) {
    const key = `${number} ${marks} ${words.language}`;
    if (key === this.shown) return;
    this.shown = key;
    const from = Math.max(0, Math.min(number - LISTED / 2, marks.length - LISTED));
    const items = [...marks].slice(from, from + LISTED).map((mark, i) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      const [kind, text] = MARKS[mark];
      button.type = 'button';
      button.textContent = from + i + 1;
      button.className = kind;
      button.setAttribute('aria-label', `${say('problemName', from + i + 1)}, ${say(text)}`);
      if (from + i === number) button.setAttribute('aria-current', 'true');
      button.addEventListener('click', () => this.ask('problem', { number: from + i }));
      item.append(button);
      return item;
    });
    $('problem-list').replaceChildren(...items);
  }
}
