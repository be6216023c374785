// The laboratory: what is in the folder, and one result of it. The list is asked for again and again,
// so that what is being played or learned can be watched.

import { dress } from './looks.js';
import { words } from './words.js';

const $ = (id) => document.getElementById(id);
const say = (key, ...values) => words.say(key, ...values);
const EVERY = 3000;
const SOON = 700;

let items = [];
let off = false;
// Whether the server has told what there is.
let asked = false;
// The result that is shown, and how it was when it was fetched.
let chosen = null;
let seen = 0;
let listed = '';
// What was started last, whether it is under way, and what can be measured on what.
let work = null;
let busy = false;
let models = [];
let corpora = [];

const wanted = () => decodeURIComponent(location.hash.slice(1)) || null;

function show(again) {
  const item = items.find((one) => one.id === wanted());
  $('nothing').hidden = Boolean(item);
  $('shown').hidden = !item;
  if (!item) {
    chosen = null;
    $('nothing').textContent = say(busy && work.id === wanted() ? 'comes' : 'choose');
    return;
  }
  if (!again && item.id === chosen && item.changed === seen) return;
  chosen = item.id;
  seen = item.changed;
  $('shown').title = item.title;
  // What is being watched is fetched anew whenever it has changed.
  $('shown').src = `/lab/result?id=${encodeURIComponent(item.id)}&at=${item.changed}&language=${words.language}`;
}

function list() {
  $('lab-note').textContent = say(off ? 'labOff' : items.length || !asked ? 'labHelp' : 'labNone');
  // What has not changed stays: an entry that was replaced under a click would not hear it.
  const key = JSON.stringify([items, wanted(), words.language]);
  if (key === listed) return;
  listed = key;
  const focus = document.activeElement?.hash;
  const entries = items.map((item) => {
    const entry = document.createElement('li');
    const link = document.createElement('a');
    const part = (name, text) => {
      const span = document.createElement('span');
      span.className = name;
      span.textContent = text;
      return span;
    };
    link.href = `#${encodeURIComponent(item.id)}`;
    link.append(part('kind', say(`kind_${item.kind}`)), part('title', item.title), part('note', item.summary));
    link.title = say('updated', new Date(item.changed).toLocaleString(words.language));
    if (item.id === wanted()) link.setAttribute('aria-current', 'true');
    entry.append(link);
    return entry;
  });
  $('list').replaceChildren(...entries);
  if (focus) [...$('list').querySelectorAll('a')].find((link) => link.hash === focus)?.focus();
}

async function look() {
  const answer = await fetch('/lab/results').catch(() => null);
  $('line').textContent = answer ? '' : say('offline');
  if (answer?.ok) {
    const found = await answer.json();
    ({ items, work, corpora } = found);
    fillCorpora();
    tell(found.playing);
    busy = found.playing === 'busy';
  }
  asked ||= Boolean(answer);
  off = answer?.status === 404;
  list();
  show(false);
}

// ---- matches and evaluations are started and stopped, where the server lets pages do so

const form = $('match').elements;
const HARIE = [50, 100, 200, 400, 800, 1600];
const LEVELS = ['20k', '16k', '12k', '8k', '4k', '1d'];
const PLAYERS = [
  ...HARIE.map((visits) => ({ wish: { who: 'harie', visits }, key: 'playerHarie', value: visits })),
  ...LEVELS.map((level) => ({ wish: { who: 'level', level }, key: 'playerLevel', value: level })),
  ...[100, 400].map((visits) => ({ wish: { who: 'knowledge', visits }, key: 'playerKnowledge', value: visits })),
  { wish: { who: 'gnugo' }, key: 'playerGnuGo', value: '' },
];

function fill() {
  for (const [name, usual] of [['first', 3], ['second', 1]]) {
    const now = form[name].value || usual;
    form[name].replaceChildren(...PLAYERS.map(({ key, value }, i) => new Option(say(key, value), i)));
    form[name].value = now;
  }
}

// Models of a board that the first was not made for cannot be measured beside it.
function fillModels() {
  const form = $('evaluation').elements;
  const [first, second] = [form.first.value, form.second.value];
  const name = (m) => say(m.playouts ? 'modelPlayouts' : 'modelTree', m.name, m.size);
  form.first.replaceChildren(...models.map((m) => new Option(name(m), m.id)));
  if (models.some((m) => m.id === first)) form.first.value = first;
  const { size } = models.find((m) => m.id === form.first.value) ?? {};
  const others = models.filter((m) => m.size === size && m.id !== form.first.value);
  form.second.replaceChildren(new Option(say('noModel'), ''), ...others.map((m) => new Option(name(m), m.id)));
  if (others.some((m) => m.id === second)) form.second.value = second;
}

function fillCorpora() {
  const { corpus } = $('evaluation').elements;
  const key = JSON.stringify([corpora, words.language]);
  if (corpus.dataset.filled === key) return;
  corpus.dataset.filled = key;
  const now = corpus.value;
  corpus.replaceChildren(...corpora.map((one) => new Option(one.files > 1 ? say('corpusFiles', one.id, one.files) : one.id, one.id)));
  if (corpora.some((one) => one.id === now)) corpus.value = now;
  $('evaluation-note').textContent = corpora.length ? '' : say('noCorpus');
}

// What is under way, or how the last thing ended if that is not seen otherwise.
function tell(how) {
  $('starter').hidden = $('measurer').hidden = how === 'never';
  for (const button of document.querySelectorAll('.results form button')) button.disabled = how === 'busy';
  $('evaluation').querySelector('button').disabled ||= !corpora.length;
  const running = work?.state === 'running';
  $('work').hidden = !running && work?.state !== 'failed' && !(work?.state === 'stopped' && work.kind === 'evaluation');
  $('stop').parentElement.hidden = $('work-bar').hidden = !running;
  if (!work) return;
  const known = running && work.of > 0;
  $('work-bar').max = known ? work.of : 1;
  if (known) $('work-bar').value = work.done; else $('work-bar').removeAttribute('value');
  const first = work.match1 === null ? '' : ` ${say('workFirst', (100 * work.match1).toFixed(1))}`;
  $('work-note').textContent = running ? say(`work_${work.stage}`, work.done, work.of, work.name) + first
    : work.state === 'failed' ? say('workFailed', words.refusal(work.why ?? '?')) : say('workStopped');
}

async function start(event, path, wish, note) {
  event.preventDefault();
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(wish) }).catch(() => null);
  note.textContent = answer?.ok ? '' : words.refusal((await answer?.text()) || say('offline'));
  if (answer?.ok) location.hash = encodeURIComponent(await answer.json());
  look();
}

$('match').addEventListener('submit', (event) => {
  const wish = { players: [form.first, form.second].map((s) => PLAYERS[s.value].wish), size: Number(form.size.value), games: Number(form.games.value) };
  start(event, '/lab/match', wish, $('match-note'));
});
$('measurer').addEventListener('toggle', async () => {
  if (!$('measurer').open) return;
  const answer = await fetch('/models').catch(() => null);
  if (answer?.ok) models = await answer.json();
  fillModels();
});
$('evaluation').elements.first.addEventListener('change', fillModels);
$('evaluation').addEventListener('submit', (event) => {
  const { first, second, corpus, games } = $('evaluation').elements;
  const chosen = [first.value, second.value].filter(Boolean);
  start(event, '/lab/evaluation', { models: chosen, corpus: corpus.value, games: Number(games.value) }, $('evaluation-note'));
});
$('stop').addEventListener('click', async () => {
  await fetch('/lab/work', { method: 'DELETE' }).catch(() => null);
  look();
});

addEventListener('hashchange', () => {
  list();
  show(false);
  // Where the result is below the list, it comes into sight.
  if (chosen && matchMedia('(max-width: 900px)').matches) $('shown').scrollIntoView();
});
dress(() => {
  document.title = `Harie · ${say('labTitle')}`;
  fill();
  fillModels();
  list();
  // What is shown is written in the language of the page as far as it can be.
  show(true);
});

// What is under way is looked at more often.
async function watch() {
  if (!document.hidden) await look();
  setTimeout(watch, busy ? SOON : EVERY);
}
watch();
