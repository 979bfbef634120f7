import { type Catalogue, catalogue, type Language, languages } from '@plataforma/contracts/catalogue';
import { storeOf } from './store.ts';

export { catalogue, type Language };

const STORAGE_KEY = 'language';
const current = storeOf(initialLanguage());

/**
 * Returns the language that the user chose, or else English for an English browser and Portuguese for all
 * others.
 */
function initialLanguage(): Language {
  const chosen = localStorage.getItem(STORAGE_KEY) ?? navigator.language;
  return languages.find((each) => each === chosen) ?? (chosen.startsWith('en') ? 'en' : 'pt-BR');
}

export function setLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language);
  document.documentElement.lang = language;
  current.set(language);
}

export const useLanguage = current.use;
export const currentLanguage = current.get;

export function useWords<T>(words: Catalogue<T>): T {
  return words[useLanguage()];
}

document.documentElement.lang = initialLanguage();
