// How every page looks and speaks: light or dark, English or Japanese, and what is remembered.

import { words } from './words.js';

const $ = (id) => document.getElementById(id);

// What the browser does not store (in some private windows, or without room) is remembered as long as the page is
// open. What it stores is not, or what another page takes out would still be here.
const memory = new Map();
const PREFIX = 'harie.';
const kindOf = (value) => (Array.isArray(value) ? 'array' : typeof value);

// Does something with the browser's storage, which may be forbidden or full.
function attempt(act) {
  try { return act(localStorage); } catch { return undefined; }
}

export const store = {
  // What is remembered; undefined if nothing is. Throws if it is damaged.
  read(key) {
    const text = attempt((local) => local.getItem(PREFIX + key)) ?? memory.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  },
  // The same, or something else of the same kind.
  get(key, otherwise) {
    let value;
    try { value = store.read(key) ?? otherwise; } catch { return otherwise; }
    return otherwise === null || kindOf(value) === kindOf(otherwise) ? value : otherwise;
  },
  // Says whether the browser stored it.
  set(key, value) {
    const text = JSON.stringify(value);
    const stored = attempt((local) => { local.setItem(PREFIX + key, text); return true; }) ?? false;
    if (stored) {
      memory.delete(key);
    } else {
      memory.set(key, text);
      // What was there before is out of date.
      attempt((local) => local.removeItem(PREFIX + key));
    }
    return stored;
  },
  remove(key) {
    memory.delete(key);
    attempt((local) => local.removeItem(PREFIX + key));
  },
  keys() {
    const local = attempt((kept) => Object.keys(kept)) ?? [];
    const known = local.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    return [...new Set([...known, ...memory.keys()])];
  },
};

function setTheme(theme) {
  const dark = theme === 'dark' || (!theme && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

function setLanguage(language, told) {
  words.language = language;
  words.apply(document);
  $('language').textContent = language === 'ja' ? 'English' : '日本語';
  $('language').lang = language === 'ja' ? 'en' : 'ja';
  told();
}

// `told` is called whenever the words of the page change.
export function dress(told) {
  setTheme(store.get('theme', null));
  $('theme').addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    store.set('theme', theme);
    setTheme(theme);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(store.get('theme', null)));
  $('language').addEventListener('click', () => {
    const language = words.language === 'ja' ? 'en' : 'ja';
    store.set('language', language);
    setLanguage(language, told);
  });
  setLanguage(store.get('language', navigator.language.startsWith('ja') ? 'ja' : 'en'), told);
}
