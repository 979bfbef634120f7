/** Control characters, which URL parsers skip, and backslashes, which some read as slashes. */
const AMBIGUOUS = /[\p{Cc}\\]/u;
const OWN = 'http://own.invalid';

/** Parses an http or https address that every program reads alike; null: the text is none. */
export function webAddress(text: string): URL | null {
  const url = AMBIGUOUS.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** Returns the path, query and fragment of an address of this origin, or null: links from elsewhere name any site. */
export function localPath(text: string): string | null {
  if (AMBIGUOUS.test(text) || !/^\/(?!\/)/.test(text)) return null;
  const { origin, pathname, search, hash } = new URL(text, OWN);
  // Dot segments disappear, so that `/.//host` has a path that begins like a host.
  const path = `/${pathname.replace(/^\/+/, '')}${search}${hash}`;
  return origin === OWN && new URL(path, OWN).href === OWN + path ? path : null;
}
