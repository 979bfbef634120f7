/** The languages of the site, with the main language first. Every page exists in both languages. */
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

/** The addresses of the files that each page loads. A file's name changes when its content changes. */
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
  /** The value that the API uses if a request does not contain the field. */
  default?: string | undefined;
  /** Markdown in English at first; HTML after the translation into the page's language. */
  description: string;
  values: string[];
  limits: Limit[];
  children: Field[];
}

/** The allowed range of a number, or of the length of a text or list. */
export interface Limit {
  range: string;
  unit: 'none' | 'chars' | 'items';
}

/** One of the shapes that a request's body can have. The name is empty if the body has only one shape. */
export interface Variant {
  name: string;
  fields: Field[];
}

export interface Answer {
  status: number;
  /** The description of the answer, in HTML. */
  description: string;
  /**
   * The object in the field `data`, and the page that explains the object. Undefined for an answer without an
   * explained object; `fields` then has the fields of `data`.
   */
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
  /** The description of the endpoint, in HTML. */
  description: string;
  access: 'public' | 'merchant' | 'bearer' | 'operator';
  /** Scopes of an API key, or roles of an operator. The caller needs at least one of them. */
  anyOf: readonly string[];
  isKeyed: boolean;
  isPaged: boolean;
  params: Field[];
  query: Field[];
  body: Variant[];
  answers: Answer[];
  errors: ErrorRow[];
  /** The HTML of sample requests: with curl, and with the SDK if an API key may call the endpoint. */
  samples: string;
  /** The HTML of example answers. Answers with the same body appear once. */
  examples: string;
}

interface EventEntry {
  name: string;
  /** The fields of the event's `data`. */
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
  /** The page's address below its language; empty for the first page. */
  slug: string;
  title: string;
  description: string;
  content: Content;
}

/** The data of the frame around each page. It is the same for all pages of a language. */
export interface Surroundings {
  groups: Group[];
  assets: Assets;
  /**
   * The slugs of the pages that exist in the other language. For a page without translation, the language
   * switch links to the other language's first page.
   */
  others: ReadonlySet<string>;
}

/** Returns the address of a page, such as `/docs/pt/` or `/docs/en/webhooks`. */
export function addressOf(language: Language, slug: string): string {
  return `/docs/${language}/${slug}`;
}
