import { useSyncExternalStore } from 'react';

const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

const KEPT_AS = 'language';
const listeners = new Set<() => void>();
let current: Language = kept();

/** Portuguese comes first: English is for browsers that ask for it, or for who has switched. */
function kept(): Language {
  const chosen = localStorage.getItem(KEPT_AS) ?? navigator.language;
  return languages.find((each) => each === chosen) ?? (chosen.startsWith('en') ? 'en' : 'pt-BR');
}

export function setLanguage(language: Language): void {
  current = language;
  localStorage.setItem(KEPT_AS, language);
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same names with other texts: a word that is missing in a language does not compile. */
type Translated<T> = {
  [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translated<T[Name]>;
};

export type Catalogue<T> = Record<Language, Translated<T>>;

/** Texts of a page in both languages, the Portuguese ones first. */
export function catalogue<T>(portuguese: T & Translated<T>, english: Translated<T>): Catalogue<T> {
  return { 'pt-BR': portuguese, en: english };
}

export function useWords<T>(words: Catalogue<T>): Translated<T> {
  return words[useLanguage()];
}

document.documentElement.lang = current;
