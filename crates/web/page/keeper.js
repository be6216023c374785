// The game as this browser keeps it: a server that was started anew gets it back. And the game before it.

import { store } from './looks.js';

// What is around a game in the message that brings it back.
const ENVELOPE = 1024;
// Boards whose games are kept.
const MOST = 5;
// While moves come quickly they are kept together.
const PAUSE = 300;

export class Keeper {
  // `ask` sends a request; `tell` says something where people see it; `changed` hears whether there is a
  // game before this one.
  constructor(ask, tell, changed) {
    Object.assign(this, { ask, tell, changed, board: null, before: null });
    this.reset();
  }

  // The line was opened anew: what the server has now may be another game, or none.
  reset() {
    this.now = null;
    this.records = null;
    this.bringing = false;
    this.swapping = false;
    clearTimeout(this.timer);
    this.timer = null;
  }

  // Says whether a game is being brought back to an empty board.
  hearState(state) {
    if (state.board !== this.board) {
      this.board = state.board;
      this.forgetOthers();
      this.showBefore(this.read('previous'));
    }
    // A game that the server would not take back is not kept.
    this.largest = state.largest - ENVELOPE;
    if (state.fresh) {
      this.records = state.records;
      return this.bringing || this.bringBack();
    }
    if (this.bringing) this.tell('restored');
    this.bringing = false;
    if (this.records !== null && state.records !== this.records) this.hearReplaced();
    this.records = state.records;
    // Problems are in their file.
    if (!state.problem) this.later();
    return false;
  }

  later() {
    this.timer ??= setTimeout(() => { this.timer = null; this.refresh(); }, PAUSE);
  }

  // Keeps the game as it is now.
  refresh() { this.ask('keep'); }

  hearKept(message) {
    if (message.board !== this.board) return;
    const told = this.tooLarge;
    this.now = message;
    this.tooLarge = !this.write('kept', message.game);
    if (this.tooLarge && !told) this.tell('tooLarge');
  }

  bringBack() {
    const game = this.read('kept');
    if (!game) return false;
    this.bringing = true;
    this.ask('restore', { kept: game });
    return true;
  }

  // The game before this one comes back, and this one is the one before it.
  swap() {
    if (!this.before) return;
    this.refresh();
    this.swapping = true;
    this.ask('restore', { kept: this.before, replace: true });
  }

  // Another game is on the board than the one that was kept last.
  hearReplaced() {
    if (this.now?.worthKeeping && this.now.records === this.records) {
      this.write('previous', this.now.game);
      this.showBefore(this.now.game);
    } else if (this.swapping) {
      this.remove('previous');
      this.showBefore(null);
    }
    this.swapping = false;
    this.now = null;
  }

  // A kept game was refused. If another page was quicker, it is on the board already.
  hearRefused(why) {
    const [kind, late] = [this.swapping ? 'previous' : 'kept', /already$/.test(why)];
    this.bringing = false;
    this.swapping = false;
    if (late) return;
    this.remove(kind);
    if (kind === 'previous') this.showBefore(null);
    this.tell('notRestored', why);
  }

  showBefore(game) {
    this.before = game;
    this.changed(Boolean(game));
  }

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

  write(kind, game) {
    const size = new TextEncoder().encode(JSON.stringify(game)).length;
    if (size > this.largest) this.remove(kind);
    else store.set(this.key(kind), { at: Date.now(), game });
    return size <= this.largest;
  }

  remove(kind) { store.remove(this.key(kind)); }

  // Only the boards that were used last are kept, and this one.
  forgetOthers() {
    const used = (key) => {
      try { return Number(store.read(key).at) || 0; } catch { return 0; }
    };
    const kept = store.keys().filter((key) => /^(kept|previous)\./.test(key) && !key.endsWith(`.${this.board}`));
    kept.sort((a, b) => used(b) - used(a));
    kept.slice(MOST).forEach((key) => store.remove(key));
  }
}
