import { type Catalogue, catalogue, type Language, languages } from '@plataforma/contracts/catalogue';
import { useSyncExternalStore } from 'react';

export { catalogue, type Language };

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

export function useWords<T>(words: Catalogue<T>): T {
  return words[useLanguage()];
}

document.documentElement.lang = current;
