export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

/** The same names with other texts: a word that is missing in a language does not compile. */
export type Translated<T> = {
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
