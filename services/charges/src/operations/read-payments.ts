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
 * that is none of ours is unexpected. The cursor moves on only when all of it has been taken up.
 */
export async function readPayments(parts: ReadList, environment: Environment): Promise<void> {
  const { database, pix, clock, everyMs } = parts;
  const cursor = { environment, list: 'payments' } as const;
  const provider = pix(environment);
  const now = clock();
  const readUntil = await claimCursor(database, cursor, { now, everyMs });
  if (!readUntil) return;
  const from = new Date(readUntil.getTime() - OVERLAP_MS);
  for await (const page of provider.listPayments({ from, to: now })) {
    await takeUp(parts, environment, page);
  }
  await advanceCursor(database, cursor, now);
}

async function takeUp(
  parts: ReadList,
  environment: Environment,
  page: readonly ProviderPayment[],
): Promise<void> {
  const { database, log } = parts;
  const known = await knownPayments(
    database,
    page.map(({ endToEndId }) => endToEndId),
  );
  const news = page.filter(({ endToEndId }) => !known.has(endToEndId));
  const ours = await knownTxids(
    database,
    news.flatMap(({ txid }) => txid ?? []),
  );
  for (const txid of ours) await confirmPayment(parts, txid);
  for (const { txid, ...payment } of news) {
    if (txid !== null && ours.has(txid)) continue;
    const nobodys = { merchantId: null, chargeId: null, cause: 'UNKNOWN_CHARGE' as const };
    await database.transaction((tx) => recordUnexpected(tx, { ...payment, ...nobodys, environment, txid }));
    log.warn({ environment }, 'money came for a charge nobody knows; it goes back to its payer');
  }
}
