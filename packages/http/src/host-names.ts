import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { Refusal } from '@plataforma/kernel';

/** Names by which a listener is called, besides its addresses and `localhost`; any name when left out. */
export type HostNames = readonly string[] | undefined;

/**
 * Refuses a request for a host of another name. A page of a stranger's site whose name was pointed at this address
 * (DNS rebinding) is of the same origin to its browser, and sends that name.
 */
export function requireOwnHost(request: IncomingMessage, names: HostNames): void {
  if (isOwnHost(request, names)) return;
  throw new Refusal('missing', 'NOT_FOUND', 'Host: is no name of this service; call it by its own');
}

/** Tells whether a request names the listener by one of its names or by an address. */
export function isOwnHost({ headers }: IncomingMessage, names: HostNames): boolean {
  if (names === undefined) return true;
  const hostname = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  return ['localhost', ...names].includes(hostname) || isIPv4(hostname) || isIPv6(inBrackets(hostname));
}

const inBrackets = (hostname: string) => /^\[(.+)\]$/.exec(hostname)?.[1] ?? '';
