export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];
export type Catalogue<T> = Record<Language, T>;

type Text = string | ((...values: never[]) => string);

/** Each text in Portuguese and in English: a text that is missing in a language does not compile. */
export interface Pairs {
  readonly [name: string]: readonly [Text, Text] | Pairs;
}

/** The same names with the texts of one language. */
export type Texts<T> = {
  [Name in keyof T]: T[Name] extends readonly [string, string]
    ? string
    : T[Name] extends readonly [(...values: infer Values) => string, (...values: infer English) => string]
      ? Values extends English
        ? (...values: Values) => string
        : never
      : Texts<T[Name]>;
};

export function catalogue<T extends Pairs>(pairs: T): Catalogue<Texts<T>> {
  return { 'pt-BR': textsOf(pairs, 0), en: textsOf(pairs, 1) } as Catalogue<Texts<T>>;
}

function textsOf(pairs: Pairs, at: 0 | 1): object {
  const texts = Object.entries(pairs).map(([name, value]) => [
    name,
    isPair(value) ? value[at] : textsOf(value, at),
  ]);
  return Object.fromEntries(texts);
}

function isPair(value: Pairs[string]): value is readonly [Text, Text] {
  return Array.isArray(value);
}
