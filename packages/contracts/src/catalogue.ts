export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];
export type Catalogue<T> = Record<Language, T>;

type Text = string | ((...values: never[]) => string);

/** Each text as a pair: Portuguese, then English. A text that lacks a language does not compile. */
export interface Pairs {
  readonly [name: string]: readonly [Text, Text] | Pairs;
}

/** The names in braces of a text, in order: `shown` and `total` for `{shown} of {total}`. */
type Gaps<T> = T extends `${string}{${infer Name}}${infer Rest}` ? [Name, ...Gaps<Rest>] : [];

type ValuesOf<Names extends string[]> = { [At in keyof Names]: string | number };

/**
 * The type of a text: a function if the text has names in braces. Its arguments are the values of the names,
 * in the order of the Portuguese text. Both languages must have the same names.
 */
type TextOf<Portuguese, English> = [Gaps<Portuguese>[number]] extends [Gaps<English>[number]]
  ? [Gaps<English>[number]] extends [Gaps<Portuguese>[number]]
    ? Gaps<Portuguese> extends []
      ? string
      : (...values: ValuesOf<Gaps<Portuguese>>) => string
    : never
  : never;

/** The names of a catalogue with the texts of one language. */
export type Texts<T> = {
  -readonly [Name in keyof T]: T[Name] extends readonly [
    infer Portuguese extends string,
    infer English extends string,
  ]
    ? TextOf<Portuguese, English>
    : T[Name] extends readonly [(...values: infer Values) => string, (...values: infer English) => string]
      ? Values extends English
        ? (...values: Values) => string
        : never
      : Texts<T[Name]>;
};

export function catalogue<const T extends Pairs>(pairs: T): Catalogue<Texts<T>> {
  return { 'pt-BR': textsOf(pairs, 0), en: textsOf(pairs, 1) } as Catalogue<Texts<T>>;
}

function textsOf(pairs: Pairs, at: 0 | 1): object {
  const texts = Object.entries(pairs).map(([name, value]) => [
    name,
    isPair(value) ? textOf(value[at], value[0]) : textsOf(value, at),
  ]);
  return Object.fromEntries(texts);
}

const GAP = /\{(\w+)\}/g;

function textOf(text: Text, portuguese: Text): Text {
  if (typeof text !== 'string' || typeof portuguese !== 'string') return text;
  const names = [...portuguese.matchAll(GAP)].map(([, name]) => name);
  if (names.length === 0) return text;
  return (...values: unknown[]) => text.replace(GAP, (_, name) => String(values[names.indexOf(name)]));
}

function isPair(value: Pairs[string]): value is readonly [Text, Text] {
  return Array.isArray(value);
}
