import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Endpoint } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { groupsOf, networkOf } from '@plataforma/kernel/addresses';
import { type RateCounter, rateCounter } from '../store/rate-counters.ts';
import { refusalOf } from './limits.ts';

/** Counts a request to a public endpoint that has a limit of its own; throws RATE_LIMITED. */
export type CountTry = (req: HttpRequest, endpoint: Endpoint) => Promise<void>;

/**
 * Returns a 31-bit group of a caller's network, from hashes: 16 bits of the /48, 7 of the /56 and 8 of the
 * /64. An IPv4 address has 16 bits of its /24 and 8 of itself. Many addresses share a group, so that services
 * store no address.
 */
export function networkGroup(address: string): number {
  const network = networkOf(address);
  if (!isIPv6(address)) {
    const own = bitsOf(network, 8);
    return joined(bitsOf(network.replace(/\.\d+$/, ''), 16), own >> 1, own);
  }
  const [a, b, c, d = ''] = groupsOf(address);
  const wide = [a, b, c].join(':');
  return joined(bitsOf(wide, 16), bitsOf(`${wide}:${d.padStart(4, '0').slice(0, 2)}`, 7), bitsOf(network, 8));
}

function bitsOf(text: string, bits: number): number {
  return createHash('sha256').update(text).digest().readUInt16BE() >> (16 - bits);
}

function joined(wide: number, middle: number, own: number): number {
  return (wide << 15) | (middle << 8) | own;
}

export const WINDOW_SECONDS = 15 * 60;

/**
 * Counts by the caller's network, on all replicas together, for all ids in the path. A link or checkout has
 * no limit of its own, because strangers would use it up for its buyers.
 */
export function publicTries(database: Database, addressOf: AddressOf): CountTry {
  const counters = new Map<string, RateCounter>();
  return async (req, { method, path, tries }) => {
    if (tries?.perAddress === undefined || !req.res) return;
    const name = `${method} ${path} address`;
    const options = { name, limit: tries.perAddress, windowSeconds: WINDOW_SECONDS };
    const counter = counters.get(name) ?? rateCounter(database, options);
    counters.set(name, counter);
    try {
      await counter.take(networkOf(addressOf(req)));
    } catch (exceeded) {
      throw refusalOf(req.res, counter.limit, exceeded);
    }
  };
}
