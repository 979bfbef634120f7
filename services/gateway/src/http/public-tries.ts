import type { Endpoint } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { AddressOf, HttpRequest } from '@plataforma/http';
import { networkOf } from '@plataforma/kernel/addresses';
import { type RateCounter, rateCounter } from '../store/rate-counters.ts';
import { refusalOf } from './limits.ts';

/** Counts a request to a public endpoint that has a limit of its own; refuses with RATE_LIMITED. */
export type CountTry = (req: HttpRequest, endpoint: Endpoint) => Promise<void>;

const WINDOW_SECONDS = 15 * 60;

/**
 * On all replicas together, by the network of the caller and by what the path names: who makes up cards or buyers gets
 * no more of them by asking elsewhere, nor by naming another checkout each time.
 */
export function publicTries({ database, addressOf }: { database: Database; addressOf: AddressOf }): CountTry {
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
    await take(counterOf('address', tries.perAddress), networkOf(addressOf(req)));
    await take(counterOf('thing', tries.perThing), thingIn(req.url ?? ''));
  };
}

/** What a path names, in whatever spelling; those that cannot be read are one thing. */
function thingIn(url: string): string {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, '').replace(/\/$/, ''));
  } catch {
    return 'malformed';
  }
}
