import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { Refusal } from '@plataforma/kernel';

/**
 * The host names that callers may use for a listener, besides its addresses and `localhost`. Undefined allows
 * any name.
 */
export type HostNames = readonly string[] | undefined;

/**
 * Refuses a request whose `Host` is not a name of this listener. In DNS rebinding, an attacker's host name
 * resolves to this listener, and a browser then treats the attacker's page as same-origin.
 */
export function requireOwnHost(request: IncomingMessage, names: HostNames): void {
  if (isOwnHost(request, names)) return;
  throw new Refusal('missing', 'NOT_FOUND', 'Host: is not a name of this service; call it by its own');
}

/** Returns true when the `Host` of a request is one of the listener's names or an address. */
export function isOwnHost({ headers }: IncomingMessage, names: HostNames): boolean {
  if (names === undefined) return true;
  const hostname = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  return ['localhost', ...names].includes(hostname) || isIPv4(hostname) || isIPv6(inBrackets(hostname));
}

const inBrackets = (hostname: string) => /^\[(.+)\]$/.exec(hostname)?.[1] ?? '';
