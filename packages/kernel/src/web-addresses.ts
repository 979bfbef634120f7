/** Control characters, which URL parsers skip, and backslashes, which some parsers read as slashes. */
const AMBIGUOUS = /[\p{Cc}\\]/u;
/** A scheme and the beginning of a host. URL parsers also accept `https:x`, which other programs refuse. */
const WITH_HOST = /^https?:\/\/[^/]/i;
const OWN = 'http://own.invalid';

/**
 * Parses an http or https address that every program reads in the same way. Returns null for any other text.
 */
export function webAddress(text: string): URL | null {
  return WITH_HOST.test(text) && !AMBIGUOUS.test(text) ? URL.parse(text) : null;
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
