// Two models beside each other: what each would play, on a board each, and how far they agree.

import { Board } from './board.js';
import { drawModel } from './overlays.js';
import { words } from './words.js';
import { store } from './looks.js';

const $ = (id) => document.getElementById(id);
const say = (key, ...values) => words.say(key, ...values);
const percent = (p) => `${(100 * p).toFixed(1)} %`;

export class Comparison {
  // `ask` sends a request; `first` is the board that is always there; `changed` is told when
  // comparing begins or ends.
  constructor(ask, first, changed) {
    this.ask = ask;
    this.first = first;
    this.second = new Board($('second-board'));
    this.found = null;
    this.models = [];
    this.changed = changed;
    $('compare').addEventListener('toggle', () => this.begin());
    for (const side of [0, 1]) {
      $(`model-${side}`).addEventListener('change', () => {
        store.set('compare', { ...store.get('compare', {}), [this.first.size]: this.chosen() });
        this.wish();
      });
    }
  }

  get on() { return $('compare').open && !$('pane-inside').hidden; }

  chosen() { return [0, 1].map((side) => $(`model-${side}`).value); }

  async begin() {
    if ($('compare').open && !this.models.length) {
      const answer = await fetch('/models').catch(() => null);
      this.models = answer?.ok ? await answer.json() : [];
      this.size = this.first.size;
      this.fill();
    }
    this.changed();
  }

  // The models of the board's size come first, and are chosen unless others were before.
  fill() {
    const size = this.first.size;
    const near = (model) => Math.abs(model.size - size);
    const sorted = [...this.models].sort((a, b) => near(a) - near(b) || a.playouts - b.playouts);
    // A choice is kept for the boards that it was made on.
    const before = store.get('compare', {})[size] ?? [];
    for (const side of [0, 1]) {
      const select = $(`model-${side}`);
      select.replaceChildren(...sorted.map((m) => new Option(say(m.playouts ? 'modelPlayouts' : 'modelTree', m.name, m.size), m.id)));
      const known = sorted.some((m) => m.id === before[side]);
      select.value = known ? before[side] : sorted[Math.min(side, sorted.length - 1)]?.id ?? '';
    }
  }

  // Tells the server what is to be compared.
  wish(at = null) {
    const on = this.on && this.models.length > 0;
    this.ask('compare', { on, models: this.chosen(), at });
    // What is known of other models is not shown under the names of these.
    if (!on || !this.isAsked(this.found)) this.found = null;
    this.show();
  }

  isAsked(found) { return found?.asked?.join('\n') === this.chosen().join('\n'); }

  // The position is another.
  clear() { this.found = null; }

  hear(message) {
    if (!this.isAsked(message)) return;
    this.found = message.error ? null : message;
    this.show();
  }

  show() {
    const { on } = this;
    $('second').hidden = !on;
    document.body.classList.toggle('comparing', on);
    if (!on) return;
    const { found } = this;
    $('first-name').textContent = $('model-0').selectedOptions[0]?.textContent ?? '';
    $('second-name').textContent = $('model-1').selectedOptions[0]?.textContent ?? '';
    if (!found) {
      $('agreement').textContent = '';
      $('compared').tBodies[0].replaceChildren();
      $('compared-why').replaceChildren();
      return;
    }
    [this.first, this.second].forEach((board, i) => drawModel(board, found.models[i], found.models[1 - i], found.played));
    const apart = say('agreement', found.same, Math.round(100 * found.distance));
    const ranks = found.played && found.models.map((m) => (m.played ? say('rankShort', m.played.rank, percent(m.played.probability)) : '–'));
    $('agreement').textContent = ranks ? `${apart} ${say('playedNext', found.played, ...ranks)}` : apart;
    this.list(found);
    this.reasons(found);
  }

  list(found) {
    const [a, b] = found.models.map((m) => new Map(m.policy));
    const points = [...new Set([...a.keys(), ...b.keys()])];
    points.sort((x, y) => Math.max(a.get(y) ?? 0, b.get(y) ?? 0) - Math.max(a.get(x) ?? 0, b.get(x) ?? 0));
    const rows = points.slice(0, 8).map((at) => {
      const row = document.createElement('tr');
      const cell = (text) => { const td = document.createElement('td'); td.append(text); return td; };
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = at;
      button.setAttribute('aria-label', say('whyTitle', at));
      row.append(cell(button), ...[a, b].map((m) => cell(m.has(at) ? percent(m.get(at)) : '–')));
      row.addEventListener('click', () => this.wish(at));
      return row;
    });
    $('compared').tBodies[0].replaceChildren(...rows);
  }

  reasons(found) {
    $('compared-why').hidden = !found.at;
    if (!found.at) return;
    const lists = found.models.map((m) => {
      const list = document.createElement('ul');
      for (const [text, weight] of m.reasons ?? []) {
        const item = document.createElement('li');
        item.className = weight >= 1 ? 'for' : 'against';
        item.textContent = `${text[words.language]} (×${weight < 0.1 ? weight.toFixed(3) : weight.toFixed(2)})`;
        list.append(item);
      }
      return list;
    });
    const title = document.createElement('h2');
    title.textContent = say('whyTitle', found.at);
    $('compared-why').replaceChildren(title, ...lists);
  }

  // The second board follows the first.
  showState(state) {
    // Models of another size come first on a board of another size.
    if (state.size !== this.size && this.models.length) {
      this.size = state.size;
      this.fill();
      if (this.on) this.wish();
    }
    if (!this.on) return;
    this.second.resize(state.size, state.stars);
    this.second.showStones(state.stones, []);
    this.second.showMarks({ ...state, marks: [], count: null });
  }
}
