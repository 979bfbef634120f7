import type { IncomingMessage } from 'node:http';

/**
 * Returns the name with the `__Host-` prefix over https. Browsers accept such a cookie from this host only,
 * over https.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/**
 * Returns the cookie with this name. Returns undefined for two of the same name, which only a forger sends.
 */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
