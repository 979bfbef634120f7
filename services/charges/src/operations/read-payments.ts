import type { Environment } from '@plataforma/kernel';
import type { ProviderPayment } from '../pix/pix-client.ts';
import { knownTxids } from '../store/charges.ts';
import { knownPayments } from '../store/payments.ts';
import { advanceCursor, claimCursor } from '../store/provider-cursors.ts';
import { type ConfirmPayment, confirmPayment } from './confirm-payment.ts';
import { recordUnexpected } from './record-unexpected.ts';

export interface ReadList extends ConfirmPayment {
  clock: () => Date;
  /** How often a provider's list is read. */
  everyMs: number;
}

/** Providers may list a payment a little after it happened. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Reads the provider's own list of what it received and takes up whatever no notice has told of. Money for a txid
 * that is none of ours is unexpected. The cursor moves on only when all of it has been taken up; a payment that can't
 * be is asked about each time, and holds up no other.
 */
export async function readPayments(parts: ReadList, environment: Environment): Promise<void> {
  const { database, pix, clock, everyMs } = parts;
  const cursor = { environment, list: 'payments' } as const;
  const provider = pix(environment);
  const now = clock();
  const readUntil = await claimCursor(database, cursor, { now, everyMs });
  if (!readUntil) return;
  const from = new Date(readUntil.getTime() - OVERLAP_MS);
  let isComplete = true;
  for await (const page of provider.listPayments({ from, to: now })) {
    isComplete = (await takeUp(parts, environment, page)) && isComplete;
  }
  if (isComplete) await advanceCursor(database, cursor, now);
}

/** Records what is news of a page; false when something of it is still not recorded. */
async function takeUp(
  parts: ReadList,
  environment: Environment,
  page: readonly ProviderPayment[],
): Promise<boolean> {
  const { database, log } = parts;
  const numbers = page.map(({ endToEndId }) => endToEndId);
  const known = await knownPayments(database, numbers);
  const news = page.filter(({ endToEndId }) => !known.has(endToEndId));
  if (news.length === 0) return true;
  const ours = await knownTxids(
    database,
    news.flatMap(({ txid }) => txid ?? []),
  );
  for (const txid of ours) {
    await confirmPayment(parts, txid).catch((error) =>
      log.error({ err: error, environment, txid }, 'a listed payment could not be confirmed'),
    );
  }
  for (const { txid, endToEndId, amount, paidAt } of news) {
    if (txid !== null && ours.has(txid)) continue;
    const nobodys = { merchantId: null, chargeId: null, cause: 'UNKNOWN_CHARGE' as const };
    await database.transaction((tx) =>
      recordUnexpected(tx, { endToEndId, amount, paidAt, ...nobodys, environment, txid }),
    );
    log.warn({ environment }, 'money came for a charge nobody knows; it goes back to its payer');
  }
  const missing = new Set(numbers).size - (await knownPayments(database, numbers)).size;
  if (missing > 0) log.error({ environment, missing }, 'the provider lists payments its charges do not show');
  return missing === 0;
}
