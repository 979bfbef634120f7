import { callbacks } from '@plataforma/contracts';
import { type Router, serveCallback } from '@plataforma/http';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { withdrawalIdOf } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { makePayoutsDue } from '../store/withdrawals.ts';

/**
 * Serves the provider's callbacks. A callback only makes the scheduler ask the provider now, because the
 * callback's content is not trusted.
 */
export function callbackRoutes(
  router: Router,
  { verifier, database, clock, callbackSecrets: secrets }: WithdrawalsDependencies,
): void {
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
