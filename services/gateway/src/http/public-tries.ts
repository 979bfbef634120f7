import { createHash } from 'node:crypto';
import { type Endpoint, statusOfKind } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { networkOf } from '@plataforma/kernel/addresses';
import type { Log } from '@plataforma/observe';
import { type RateCounter, rateCounter } from '../store/rate-counters.ts';
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

const WINDOW_SECONDS = 15 * 60;
const DECLINED = statusOfKind.declined;

interface PublicTries {
  database: Database;
  addressOf: AddressOf;
  log: Log;
}

/**
 * On all replicas together, by the network of the caller, whatever the path names. A link or checkout has no limit of its
 * own, because strangers would use it up for its buyers.
 */
export function publicTries({ database, addressOf, log }: PublicTries): CountTry {
  return async (req, { method, path, tries }) => {
    const { res } = req;
    if (!tries || !res) return;
    const counterOf = (whose: string, limit: number) =>
      rateCounter(database, { name: `${method} ${path} ${whose}`, limit, windowSeconds: WINDOW_SECONDS });
    const take = async (counter: RateCounter, whom: string) => {
      try {
        await counter.take(whom);
      } catch (exceeded) {
        throw refusalOf(res, counter.limit, exceeded);
      }
    };
    const network = networkOf(addressOf(req));
    await take(counterOf('address', tries.perAddress), network);
    if (tries.declinesPerAddress === undefined) return;
    const declines = counterOf('declines', tries.declinesPerAddress);
    const giveBack = () =>
      declines
        .giveBack(network)
        .catch((error) => log.warn({ err: error }, 'what was no decline counts as one'));
    try {
      await take(declines, network);
    } catch (refused) {
      if (refused instanceof Refusal) await giveBack();
      throw refused;
    }
    // One whose caller did not wait for the answer stays counted: nobody tries cards out by hanging up.
    res.once('finish', () => {
      if (res.statusCode !== DECLINED) void giveBack();
    });
  };
}
