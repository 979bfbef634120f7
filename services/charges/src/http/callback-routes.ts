import { callbacks } from '@plataforma/contracts';
import { createBulkhead, type Router, serveCallback } from '@plataforma/http';
import type { ProviderScope } from '@plataforma/kernel';
import type { ChargesDependencies } from '../dependencies.ts';
import { takeAcquirerNotice } from '../disputes/operations/take-acquirer-notice.ts';
import { confirmPaymentsByTxid } from '../operations/confirm-payment.ts';
import { makeCursorDue } from '../store/provider-cursors.ts';
import { makeRefundsAndReturnsDue } from '../store/unmatched-returns.ts';

/**
 * The format of a charge's txid in API Pix. A Pix with any other txid is recorded when the provider's list is
 * read.
 */
const TXID = /^[a-zA-Z0-9]{26,35}$/;
const CONFIRMED_AT_ONCE = 8;

/**
 * Answers a notice only after the payments of its charges are recorded. The provider repeats a notice that is
 * not answered with status 200.
 */
export function callbackRoutes(
  router: Router,
  { verifier, callbackSecrets: secrets, ...given }: ChargesDependencies,
): void {
  const route = { verifier, secrets };
  const slotted = { ...given, ...inSlots(given) };
  for (const endpoint of [callbacks.pixCallback, callbacks.pixCallbackWithSuffix]) {
    serveCallback(router, endpoint, {
      ...route,
      answer: async ({ body }) => {
        if (body.infracoes.length > 0) await makeCursorDue(given.database, 'infractions');
        return { data: { received: await takePixNotice(slotted, body.pix) } };
      },
    });
  }
  serveCallback(router, callbacks.acquirerCallback, {
    ...route,
    answer: async ({ body }) => {
      const id = body.data?.id;
      if (id !== undefined) await takeAcquirerNotice(slotted, id);
      return { data: { received: id === undefined ? 0 : 1 } };
    },
  });
}

/**
 * Each account has its own slots for reads at the providers, so that a slow sandbox delays no notice of
 * production.
 */
function inSlots({ pix, acquirers }: Pick<ChargesDependencies, 'pix' | 'acquirers'>) {
  const inSlot = createBulkhead('callbackReads');
  const slotOwnerOf = ({ merchantId, environment }: ProviderScope) => ({
    merchantId: merchantId ?? '',
    environment,
  });
  return {
    pix: (scope: ProviderScope) => ({
      find: (txid: string) => inSlot(slotOwnerOf(scope), () => pix(scope).find(txid)),
    }),
    acquirers: (scope: ProviderScope) => ({
      inspect: (id: string) => inSlot(slotOwnerOf(scope), () => acquirers(scope).inspect(id)),
    }),
  };
}

interface CallbackPix {
  txid?: string | undefined;
  endToEndId?: string | undefined;
}

async function takePixNotice(
  dependencies: Parameters<typeof confirmPaymentsByTxid>[0],
  notified: readonly CallbackPix[],
): Promise<number> {
  const txids = new Set(notified.flatMap(({ txid }) => (txid && TXID.test(txid) ? txid : [])));
  const endToEndIds = notified.flatMap(({ endToEndId }) => endToEndId ?? []);
  if (endToEndIds.length > 0) await makeRefundsAndReturnsDue(dependencies.database, endToEndIds);
  const areAllOurs = await confirmAll(dependencies, [...txids]);
  if (notified.length > 0 && (!areAllOurs || txids.size === 0))
    await makeCursorDue(dependencies.database, 'payments');
  return txids.size;
}

/**
 * Records the payments of all charges, even if some reads at the provider fail. If a read failed, throws
 * afterwards, so that the provider repeats the notice. Otherwise returns whether all txids belong to charges
 * of the platform.
 */
async function confirmAll(
  dependencies: Parameters<typeof confirmPaymentsByTxid>[0],
  txids: readonly string[],
): Promise<boolean> {
  const failures: unknown[] = [];
  let areAllOurs = true;
  for (let start = 0; start < txids.length; start += CONFIRMED_AT_ONCE) {
    const some = txids.slice(start, start + CONFIRMED_AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((txid) => confirmPaymentsByTxid(dependencies, txid)));
    areAllOurs &&= outcomes.every((outcome) => outcome.status === 'rejected' || outcome.value);
    failures.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
  return areAllOurs;
}
