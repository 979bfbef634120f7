import { createHash } from 'node:crypto';
import type { Endpoint } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { networkOf } from '@plataforma/kernel/addresses';
import { rateCounter } from '../store/rate-counters.ts';
import { refusalOf } from './limits.ts';

/** Counts a request to a public endpoint that has a limit of its own; refuses with RATE_LIMITED. */
export type CountTry = (req: HttpRequest, endpoint: Endpoint) => Promise<void>;

/**
 * Tells callers apart by their network. 256 IPv4 addresses have the same 24 bits, so that a service that stores them
 * stores no address.
 */
export function networkGroup(address: string): number {
  return createHash('sha256').update(networkOf(address)).digest().readUIntBE(0, 3);
}

export const WINDOW_SECONDS = 15 * 60;

/**
 * On all replicas together, by the network of the caller, whatever the path names. A link or checkout has no limit of its
 * own, because strangers would use it up for its buyers.
 */
export function publicTries(database: Database, addressOf: AddressOf): CountTry {
  return async (req, { method, path, tries }) => {
    if (tries?.perAddress === undefined || !req.res) return;
    const name = `${method} ${path} address`;
    const counter = rateCounter(database, { name, limit: tries.perAddress, windowSeconds: WINDOW_SECONDS });
    try {
      await counter.take(networkOf(addressOf(req)));
    } catch (exceeded) {
      throw refusalOf(req.res, counter.limit, exceeded);
    }
  };
}
