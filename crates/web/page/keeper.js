// The game as this browser keeps it: a server that was started anew gets it back. And the game before it.

import { store } from './looks.js';

// What is around a game in the message that brings it back.
const ENVELOPE = 1024;
// Other boards whose games are kept.
const MOST = 5;
// While moves come quickly they are kept together. Where a game is only looked through, there is time.
const PAUSE = 300;
const WALK = 2000;

// Whether there is another game, or it went on: more than another position of it is looked at. What is
// written into the tree comes with the tree.
const CHANGES = ['records', 'fresh', 'tip', 'phase', 'people', 'level', 'result'];
function isChanged(before, state) {
  const differs = (name) => String(before[name]) !== String(state[name]);
  return CHANGES.some(differs) || (before.node === state.node && differs('marks'));
}

export class Keeper {
  // `ask` sends a request; `tell` says something where people see it; `changed` hears whether there is a
  // game before this one, and one that was refused.
  constructor(ask, tell, changed) {
    Object.assign(this, { ask, tell, changed, board: null, before: null, refused: null });
    this.reset();
  }

  // The line was opened anew: what the server has now may be another game, or none.
  reset() {
    this.now = null;
    this.state = null;
    // The game that is being brought back.
    this.bringing = null;
    this.swapping = false;
    this.tooLarge = false;
    clearTimeout(this.timer);
    this.pause = null;
  }

  // Says whether a game is being brought back to an empty board.
  hearState(state) {
    if (state.board !== this.board) {
      this.board = state.board;
      this.forgetOthers();
      this.before = this.read('previous');
      this.refused = this.read('refused');
      this.showOthers();
    }
    // A game that the server would not take back is not kept.
    this.largest = state.largest - ENVELOPE;
    const before = this.state;
    this.state = state;
    if (state.fresh) return Boolean(this.bringing) || this.bringBack();
    if (this.bringing) this.tell('restored');
    this.bringing = null;
    this.hearRecords(state.records);
    // Problems are in their file.
    if (state.problem) return false;
    // What was asked for without a line is sent after this, and may replace the game.
    if (!before) this.refresh();
    else if (isChanged(before, state)) this.later(PAUSE);
    else if (before.node !== state.node) this.later(WALK);
    return false;
  }

  // The tree of the game changed.
  hearTree() {
    if (this.state && !this.state.fresh && !this.state.problem) this.later(PAUSE);
  }

  // Keeps the game soon after it changed, or when a walk through it has ended. One that is too large is
  // not asked for again and again.
  later(pause) {
    if (this.tooLarge || this.pause === PAUSE) return;
    clearTimeout(this.timer);
    this.pause = pause;
    this.timer = setTimeout(() => this.refresh(), pause);
  }

  // Keeps the game as it is now.
  refresh() {
    clearTimeout(this.timer);
    this.pause = null;
    this.ask('keep');
  }

  hearKept(message) {
    if (message.board !== this.board) return;
    this.hearRecords(message.records);
    this.now = message;
    // An empty board has nothing to bring back, and problems are in their file.
    if (this.state?.problem || (!message.records && !message.worthKeeping)) return;
    const told = this.tooLarge;
    this.tooLarge = !this.fits(message.game);
    if (!this.tooLarge) return this.write('kept', message.game);
    this.remove('kept');
    if (!told) this.tell('tooLarge');
  }

  bringBack() {
    const game = this.read('kept');
    if (!game) return false;
    if (!this.fits(game)) {
      this.putAside(game);
      this.offer(game, this.limit());
      return false;
    }
    this.bringing = game;
    this.ask('restore', { kept: game });
    // What was asked for without a line may replace it at once.
    this.refresh();
    return true;
  }

  // The game before this one comes back, and this one is the one before it.
  swap() {
    if (!this.before || this.swapping || this.bringing) return;
    // A longer message would end the connection.
    if (!this.fits(this.before)) return this.offer(this.before, this.limit());
    this.swapping = true;
    this.refresh();
    this.ask('restore', { kept: this.before, replace: true });
  }

  // How many games and records were on the board by now. If the one that was kept last is not the last of
  // them, it is the game before. Its own number says so: not every game on the way is seen.
  hearRecords(records) {
    const gone = this.now;
    if (!gone || gone.records === records) return;
    this.now = null;
    this.tooLarge = false;
    // It is on the board now, and it is in the browser before anything else happens.
    if (this.swapping) this.write('kept', this.before);
    if (gone.worthKeeping && this.fits(gone.game)) {
      this.write('previous', gone.game);
      this.before = gone.game;
    } else if (this.swapping) {
      this.remove('previous');
      this.before = null;
    }
    this.swapping = false;
    this.showOthers();
  }

  // A kept game was refused. If another page was quicker, it is on the board already.
  hearRefused(why) {
    const [brought, swapped] = [this.bringing, this.swapping ? this.before : null];
    this.bringing = null;
    this.swapping = false;
    if (/already$/.test(why)) return;
    if (brought) this.putAside(brought);
    const game = brought ?? swapped;
    if (game) this.offer(game, why);
  }

  // The only copy of a game that is not taken back stays until it was saved, but is not tried again.
  putAside(game) {
    this.remove('kept');
    this.write('refused', game);
  }

  // A game that is not taken back can be saved.
  offer(game, why) {
    this.refused = game;
    this.showOthers();
    this.tell('notRestored', why);
  }

  // The record of the game that was refused, to be saved. It can be saved again until the page is closed.
  takeRefused() {
    if (this.refused !== this.before) this.remove('refused');
    return this.refused.record;
  }

  showOthers() { this.changed(Boolean(this.before), Boolean(this.refused)); }

  fits(game) { return new TextEncoder().encode(JSON.stringify(game)).length <= this.largest; }

  limit() { return `it has more than ${Math.floor(this.largest / 1024)} KiB`; }

  // ---- what is in the browser, a game of each kind for a board

  key(kind) { return `${kind}.${this.board}`; }

  read(kind) {
    try {
      const kept = store.read(this.key(kind));
      if (kept === undefined) return null;
      if (typeof kept?.game?.record === 'string') return kept.game;
    } catch { /* it is not JSON */ }
    this.remove(kind);
    this.tell('damaged');
    return null;
  }

  // Where the browser has no room, the game is there as long as the page is.
  write(kind, game) {
    if (store.set(this.key(kind), { at: Date.now(), game }) || this.isWarned) return;
    this.isWarned = true;
    this.tell('notStored');
  }

  remove(kind) { store.remove(this.key(kind)); }

  // Only the boards that were used last are kept, and this one.
  forgetOthers() {
    const used = (key) => {
      try { return Number(store.read(key).at) || 0; } catch { return 0; }
    };
    const boards = new Map();
    for (const key of store.keys()) {
      const [, board] = /^(?:kept|previous|refused)\.(.*)$/.exec(key) ?? [];
      if (board === undefined || board === this.board) continue;
      const known = boards.get(board) ?? { at: 0, keys: [] };
      boards.set(board, { at: Math.max(known.at, used(key)), keys: [...known.keys, key] });
    }
    const latest = [...boards.values()].sort((a, b) => b.at - a.at);
    latest.slice(MOST).flatMap(({ keys }) => keys).forEach((key) => store.remove(key));
  }
}
