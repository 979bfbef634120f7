import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { Refusal } from '@plataforma/kernel';

/** The host names of a listener besides its addresses and `localhost`; any name when left out. */
export type HostNames = readonly string[] | undefined;

/**
 * Refuses a request whose `Host` is not a name of this listener. With DNS rebinding, an attacker's host name
 * leads here, and a browser treats the attacker's page as same-origin.
 */
export function requireOwnHost(request: IncomingMessage, names: HostNames): void {
  if (isOwnHost(request, names)) return;
  throw new Refusal('missing', 'NOT_FOUND', 'Host: is not a name of this service; call it by its own');
}

/** Returns true when a request names the listener by one of its names or by an address. */
export function isOwnHost({ headers }: IncomingMessage, names: HostNames): boolean {
  if (names === undefined) return true;
  const hostname = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  return ['localhost', ...names].includes(hostname) || isIPv4(hostname) || isIPv6(inBrackets(hostname));
}

const inBrackets = (hostname: string) => /^\[(.+)\]$/.exec(hostname)?.[1] ?? '';
