/** The texts in a URL: what is not there, or empty, is left out. */
export type Search = Readonly<Record<string, unknown>>;

export function textIn(search: Search, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One of these, or nothing: a URL that was written by hand is no error. */
export function oneIn<Value extends string>(
  search: Search,
  name: string,
  values: readonly Value[],
): Value | undefined {
  return values.find((each) => each === search[name]);
}

function dayIn(search: Search, name: string): string | undefined {
  const value = textIn(search, name);
  return value && isDay(value) ? value : undefined;
}

/** A day of the calendar: the 30th of February is none. */
export function isDay(text: string): boolean {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** What has not the form of an id would be refused. */
export function idIn(search: Search, name: string): string | undefined {
  const value = textIn(search, name);
  return value && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : undefined;
}

/** The last one that the API takes. */
const LAST_PAGE = 1_000_000;

/** A number in a link and text in an address: the router also validates what it has validated before. */
export function pageIn(search: Search): number | undefined {
  const page = Number(search.page);
  return Number.isInteger(page) && page > 1 && page <= LAST_PAGE ? page : undefined;
}

/** The values of a choice, or a function that reads a value. */
type Field = readonly string[] | ((search: Search, name: string) => unknown);
type ValueOf<Read> = Read extends readonly (infer Value)[]
  ? Value
  : Read extends (search: Search, name: string) => infer Value
    ? Value
    : never;
type Fields = Readonly<Record<string, Field>>;
type SearchOf<Read extends Fields> = { [Name in keyof Read]?: ValueOf<Read[Name]> | undefined };

/** The values of a choice, by what they are called. */
export const valuesIn = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  Object.keys(words) as Value[];

/** The filters of a list and its page, as the list's URL has them. */
export function searchOf<const Read extends Fields>(fields: Read) {
  return (search: Search): SearchOf<Read & { page: typeof pageIn }> => {
    const read = Object.entries<Field>({ ...fields, page: pageIn }).map(([name, field]) => [
      name,
      typeof field === 'function' ? field(search, name) : oneIn(search, name, field),
    ]);
    return Object.fromEntries(read);
  };
}

export const period = { from: dayIn, to: dayIn };

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}
