import { callbacks } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { createBulkhead, type Router, serveCallback, type Verifier } from '@plataforma/http';
import type { Clock, Whose } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Acquirers } from '../cards/acquirers.ts';
import { takeAcquirerNotice } from '../disputes/operations/take-acquirer-notice.ts';
import { confirmPayment } from '../operations/confirm-payment.ts';
import type { PixProviders } from '../pix/providers.ts';
import { hastenReturnsOf } from '../store/news.ts';
import { hastenCursor } from '../store/provider-cursors.ts';

interface CallbackRoutes {
  verifier: Verifier;
  database: Database;
  pix: PixProviders;
  acquirers: Acquirers;
  clock: Clock;
  log: Log;
  /** The part of the address that only the provider knows: each is taken. */
  secrets: readonly string[];
}

/** What we name charges by; a Pix under another name is found in the provider's own list. */
const TXID = /^[a-zA-Z0-9]{26,35}$/;
const CONFIRMED_AT_ONCE = 8;

/** A notice is answered after its charges are settled: a provider that hears no 200 tells us again. */
export function callbackRoutes(router: Router, { verifier, secrets, ...given }: CallbackRoutes): void {
  const door = { verifier, secrets };
  const parts = { ...given, ...inSlots(given) };
  for (const endpoint of [callbacks.pixCallback, callbacks.pixCallbackWithSuffix]) {
    serveCallback(router, endpoint, {
      ...door,
      answer: async ({ body }) => {
        if (body.infracoes.length > 0) await hastenCursor(parts.database, 'infractions');
        return { data: { received: await takePixNotice(parts, body.pix) } };
      },
    });
  }
  serveCallback(router, callbacks.acquirerCallback, {
    ...door,
    answer: async ({ body }) => {
      const id = body.data?.id;
      if (id !== undefined) await takeAcquirerNotice(parts, id);
      return { data: { received: id === undefined ? 0 : 1 } };
    },
  });
}

/** Reads at the providers in slots of the charge's account, so that a slow sandbox delays no notice of production. */
function inSlots({ pix, acquirers }: Pick<CallbackRoutes, 'pix' | 'acquirers'>) {
  const inSlot = createBulkhead('callbackReads');
  const holderOf = ({ merchantId, environment }: Whose) => ({ merchantId: merchantId ?? '', environment });
  return {
    pix: (whose: Whose) => ({
      find: (txid: string) => inSlot(holderOf(whose), () => pix(whose).find(txid)),
    }),
    acquirers: (whose: Whose) => ({
      inspect: (id: string) => inSlot(holderOf(whose), () => acquirers(whose).inspect(id)),
    }),
  };
}

interface ToldPix {
  txid?: string | undefined;
  endToEndId?: string | undefined;
}

async function takePixNotice(
  parts: Parameters<typeof confirmPayment>[0],
  told: readonly ToldPix[],
): Promise<number> {
  const txids = new Set(told.flatMap(({ txid }) => (txid && TXID.test(txid) ? txid : [])));
  const numbers = told.flatMap(({ endToEndId }) => endToEndId ?? []);
  if (numbers.length > 0) await hastenReturnsOf(parts.database, numbers);
  const areAllOurs = await confirmAll(parts, [...txids]);
  if (told.length > 0 && (!areAllOurs || txids.size === 0)) await hastenCursor(parts.database, 'payments');
  return txids.size;
}

/**
 * One charge that can't be confirmed now holds up no other of the same notice, and the provider tells us
 * again. True when all of them are charges of ours.
 */
async function confirmAll(
  parts: Parameters<typeof confirmPayment>[0],
  txids: readonly string[],
): Promise<boolean> {
  const failures: unknown[] = [];
  let areAllOurs = true;
  for (let start = 0; start < txids.length; start += CONFIRMED_AT_ONCE) {
    const some = txids.slice(start, start + CONFIRMED_AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((txid) => confirmPayment(parts, txid)));
    areAllOurs &&= outcomes.every((outcome) => outcome.status === 'rejected' || outcome.value);
    failures.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
  return areAllOurs;
}
