// How every page looks and speaks: light or dark, English or Japanese, and what is remembered.

import { words } from './words.js';

const $ = (id) => document.getElementById(id);

export const store = {
  get: (key, otherwise) => JSON.parse(localStorage.getItem(`harie.${key}`) ?? 'null') ?? otherwise,
  set: (key, value) => localStorage.setItem(`harie.${key}`, JSON.stringify(value)),
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
