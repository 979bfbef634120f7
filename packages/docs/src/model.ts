/** Portuguese first. Every page exists in both. */
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

/** Addresses of the files that a page loads. Their names change with their content. */
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
  /** The value that a missing field of a request has. */
  default?: string | undefined;
  /** HTML, but Markdown before the reference is written in a language. */
  description: string;
  values: string[];
  limits: Limit[];
  children: Field[];
}

/** The range of a number, or the length of a text or a list. */
export interface Limit {
  range: string;
  unit: 'none' | 'chars' | 'items';
}

/** A shape of a body, with a name if the body has several. */
export interface Variant {
  name: string;
  fields: Field[];
}

export interface Answer {
  status: number;
  /** HTML. */
  description: string;
  /** The object under `data` and the page that explains it. Absent when the fields are listed here. */
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
  /** Scopes of a key or roles of an operator. The caller needs one of them. */
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
  /** HTML of the example answers, one for each different body. */
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

/** The data of the frame, common to all pages of a language. */
export interface Surroundings {
  groups: Group[];
  assets: Assets;
  /** Slugs in the other language. The language switch leads to the first page for any other slug. */
  others: ReadonlySet<string>;
}

/** Returns the address of a page, such as `/docs/pt/` or `/docs/en/webhooks`. */
export function addressOf(language: Language, slug: string): string {
  return `/docs/${language}/${slug}`;
}
