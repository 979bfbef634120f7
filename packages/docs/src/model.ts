/** The data that the builder passes to the pages of `site/`. */

/** Portuguese first; both have every page. */
export const languages = ['pt', 'en'] as const;
export type Language = (typeof languages)[number];

export interface Heading {
  id: string;
  text: string;
  level: number;
}

export interface PageLink {
  slug: string;
  title: string;
}

export interface Group {
  title: string;
  pages: PageLink[];
}

/** Addresses of the files that a page loads, whose names change with their content. */
export interface Assets {
  begin: string;
  client: string;
  style: string;
  font: string;
}

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  /** The meaning of a request's field that is left out. */
  default?: string | undefined;
  /** HTML; Markdown as long as the reference is not written in a language. */
  description: string;
  values: string[];
  limits: Limit[];
  children: Field[];
}

/** How large a value, how long a text or a list may be. */
export interface Limit {
  range: string;
  unit: 'none' | 'chars' | 'items';
}

/** A shape of a body, and its name where there are several. */
export interface Variant {
  name: string;
  fields: Field[];
}

export interface Answer {
  status: number;
  /** HTML. */
  description: string;
  /** The object under `data`, of this or another page; absent when its fields are shown. */
  object?: { name: string; slug: string; isList: boolean } | undefined;
  fields: Field[];
}

export interface ErrorRow {
  code: string;
  status: number;
  when: string;
}

export interface Endpoint {
  name: string;
  method: string;
  path: string;
  summary: string;
  /** HTML. */
  description: string;
  access: 'public' | 'merchant' | 'bearer' | 'operator';
  /** Scopes of a key, or roles of an operator: one of them is needed. */
  anyOf: readonly string[];
  isKeyed: boolean;
  isPaged: boolean;
  params: Field[];
  query: Field[];
  body: Variant[];
  answers: Answer[];
  errors: ErrorRow[];
  /** HTML of the request in curl and, for an API key, with the SDK. */
  samples: string;
  /** HTML of what it answers, for each status that answers something else. */
  examples: string;
}

interface EventEntry {
  name: string;
  /** The fields of its `data`. */
  fields: Field[];
  example: string;
}

export type Content =
  | { kind: 'home' }
  | { kind: 'missing' }
  | { kind: 'guide'; html: string; headings: Heading[] }
  | { kind: 'resource'; endpoints: Endpoint[]; objects: { name: string; fields: Field[] }[] }
  | { kind: 'errors'; errors: ErrorRow[] }
  | { kind: 'events'; description: string; envelope: Field[]; events: EventEntry[] };

export interface Page {
  language: Language;
  /** Empty for the first page. */
  slug: string;
  title: string;
  description: string;
  content: Content;
}

/** The frame of each page of a language. */
export interface Surroundings {
  groups: Group[];
  assets: Assets;
  /** Slugs of the other language: where a page has none there, its switch leads to the first page. */
  others: ReadonlySet<string>;
}

/** Where a page is: `/docs/pt/`, `/docs/en/webhooks`. */
export function addressOf(language: Language, slug: string): string {
  return `/docs/${language}/${slug}`;
}
