export type Search = Readonly<Record<string, unknown>>;

export function textIn(search: Search, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the parameter if it is one of the values, or else undefined, because users can edit a URL. */
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

/** Returns whether the text is an existing calendar day. 30 February, for example, is not. */
export function isDay(text: string): boolean {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Returns the id in a parameter, or undefined for text that is no id, because the API would refuse such text.
 */
export function idIn(search: Search, name: string): string | undefined {
  const value = textIn(search, name);
  return value && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : undefined;
}

/** The last page that the API accepts. */
const LAST_PAGE = 1_000_000;

/**
 * Returns the page number in a URL. The parameter may be a number or a text, because the router also
 * validates parameters that it has already parsed.
 */
export function pageIn(search: Search): number | undefined {
  const page = Number(search.page);
  return Number.isInteger(page) && page > 1 && page <= LAST_PAGE ? page : undefined;
}

/** The values that a parameter may have, or a function that reads the parameter. */
type Field = readonly string[] | ((search: Search, name: string) => unknown);
type ValueOf<Read> = Read extends readonly (infer Value)[]
  ? Value
  : Read extends (search: Search, name: string) => infer Value
    ? Value
    : never;
type Fields = Readonly<Record<string, Field>>;
type SearchOf<Read extends Fields> = { [Name in keyof Read]?: ValueOf<Read[Name]> | undefined };

export const valuesIn = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  Object.keys(words) as Value[];

/** Returns a function that reads a list's filters and page number from its URL. */
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
