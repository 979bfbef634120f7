import { callbacks } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type Router, serveCallback, type Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { withdrawalIdOf } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { makePayoutsDue } from '../store/withdrawals.ts';

interface CallbackRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
  /** Secrets in the address that only the provider knows; each of them is valid. */
  secrets: readonly string[];
}

/** Serves the provider's notices. Their content is not trusted: they only make the scheduler ask now. */
export function callbackRoutes(router: Router, { verifier, database, clock, secrets }: CallbackRoutes): void {
  for (const endpoint of [callbacks.payoutCallback, callbacks.payoutCallbackWithSuffix]) {
    serveCallback(router, endpoint, {
      verifier,
      secrets,
      answer: async ({ body }) => {
        const ids = body.pix.flatMap((notice) => withdrawalIdOf(notice?.gnExtras.idEnvio ?? '') ?? []);
        const received = await makePayoutsDue(database, ids, clock());
        failPoint('payout.noticed');
        return { data: { received } };
      },
    });
  }
}
