import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Endpoint } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { groupsOf, networkOf } from '@plataforma/kernel/addresses';
import { type NetworkCounter, networkCounter, networkNames } from '../store/rate-counters.ts';
import { refusalOf } from './limits.ts';

/**
 * Counts a request if its endpoint limits the requests of each network. Throws RATE_LIMITED when the network
 * exceeds the limit.
 */
export type CountTry = (req: HttpRequest, endpoint: Endpoint) => Promise<void>;

/**
 * Returns a 31-bit number for a network, with which services can count callers without storing addresses. Its
 * bits come from hashes: 16 from the /48, 7 from the /56 and 8 from the /64. For IPv4, 16 bits come from the
 * /24, and 8 from the address.
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
 * Counts the requests of each network to an endpoint, on all replicas together. If each payment link had a
 * limit instead, strangers could use up a link's limit and block its buyers.
 */
export function publicTries(database: Database, addressOf: AddressOf): CountTry {
  const counters = new Map<string, NetworkCounter>();
  return async (req, { method, path, tries }) => {
    if (tries?.perNetwork === undefined || !req.res) return;
    const name = `${method} ${path} address`;
    const options = { name, limit: tries.perNetwork, windowSeconds: WINDOW_SECONDS };
    const counter = counters.get(name) ?? networkCounter(database, options);
    counters.set(name, counter);
    try {
      await counter.take(networkNames(addressOf(req)));
    } catch (exceeded) {
      throw refusalOf(req.res, counter.limit, exceeded);
    }
  };
}
