/** Control characters, which URL parsers skip, and backslashes, which some parsers read as slashes. */
const AMBIGUOUS = /[\p{Cc}\\]/u;
const OWN = 'http://own.invalid';

/**
 * Parses an http or https address that every program reads in the same way. Returns null for any other text.
 */
export function webAddress(text: string): URL | null {
  const url = AMBIGUOUS.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/**
 * Returns the path, query and fragment of an address of this origin. Returns null for an address that could
 * lead to another site.
 */
export function localPath(text: string): string | null {
  if (AMBIGUOUS.test(text) || !/^\/(?!\/)/.test(text)) return null;
  const { origin, pathname, search, hash } = new URL(text, OWN);
  // The parser resolves dot segments, so `/.//host` becomes `//host`, an address of another site. One slash
  // therefore replaces all leading slashes.
  const path = `/${pathname.replace(/^\/+/, '')}${search}${hash}`;
  return origin === OWN && new URL(path, OWN).href === OWN + path ? path : null;
}
