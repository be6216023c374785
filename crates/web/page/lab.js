// The laboratory: what is in the folder, and one result of it. The list is asked for again and again,
// so that what is being played or learned can be watched.

import { dress } from './looks.js';
import { words } from './words.js';

const $ = (id) => document.getElementById(id);
const say = (key, ...values) => words.say(key, ...values);
const EVERY = 3000;

let items = [];
let off = false;
// The result that is shown, and how it was when it was fetched.
let chosen = null;
let seen = 0;
let listed = '';

const wanted = () => decodeURIComponent(location.hash.slice(1)) || null;

function show(again) {
  const item = items.find((one) => one.id === wanted());
  $('nothing').hidden = Boolean(item);
  $('shown').hidden = !item;
  if (!item) { chosen = null; return; }
  if (!again && item.id === chosen && item.changed === seen) return;
  chosen = item.id;
  seen = item.changed;
  $('shown').title = item.title;
  // What is being watched is fetched anew whenever it has changed.
  $('shown').src = `/lab/result?id=${encodeURIComponent(item.id)}&at=${item.changed}`;
}

function list() {
  $('lab-note').textContent = say(off ? 'labOff' : items.length ? 'labHelp' : 'labNone');
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
    items = found.items;
    playing(found.playing);
  }
  off = answer?.status === 404;
  list();
  show(false);
}

// ---- a match is started and stopped, where the server lets pages do so

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

function playing(how) {
  $('starter').hidden = how === 'never';
  $('start').disabled = how === 'busy';
  $('stop').disabled = how !== 'busy';
}

$('match').addEventListener('submit', async (event) => {
  event.preventDefault();
  const wish = { players: [form.first, form.second].map((s) => PLAYERS[s.value].wish), size: Number(form.size.value), games: Number(form.games.value) };
  const answer = await fetch('/lab/match', { method: 'POST', body: JSON.stringify(wish) }).catch(() => null);
  $('match-note').textContent = answer?.ok ? '' : words.refusal((await answer?.text()) || say('offline'));
  if (answer?.ok) location.hash = encodeURIComponent(await answer.json());
  look();
});
$('stop').addEventListener('click', async () => {
  await fetch('/lab/match', { method: 'DELETE' }).catch(() => null);
  look();
});

addEventListener('hashchange', () => {
  list();
  show(false);
  // Where the result is below the list, it comes into sight.
  if (chosen && matchMedia('(max-width: 900px)').matches) $('shown').scrollIntoView();
});
dress(() => { document.title = `Harie · ${say('labTitle')}`; fill(); list(); });
look();
setInterval(() => document.hidden || look(), EVERY);
