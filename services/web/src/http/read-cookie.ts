import type { IncomingMessage } from 'node:http';

/**
 * Returns the cookie's name, with the prefix `__Host-` over https. Browsers accept a cookie with this prefix
 * only from its own host over https.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/**
 * Returns the cookie's value. Returns undefined for two cookies of this name, because only an attack causes
 * two.
 */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
