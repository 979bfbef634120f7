import { type Database, failPoint, type Log } from '@plataforma/chassis';
import type { Clock, Environment } from '@plataforma/kernel';
import type { ProviderPayment } from '../pix/pix-client.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findChargeIds } from '../store/charges.ts';
import { knownPayments } from '../store/payments.ts';
import { advanceCursor, claimCursor } from '../store/provider-cursors.ts';
import { recordPayments } from './confirm-payment.ts';
import { recordUnexpected } from './record-unexpected.ts';

export interface ReadList {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  log: Log;
  /** How often a provider's list is read. */
  everyMs: number;
}

/** Providers may list a payment a little after it happened. */
const OVERLAP_MS = 10 * 60_000;
/** And some, on a bad day, much later. */
const LATE_EVERY_MS = 3_600_000;
const LATE_OVERLAP_MS = 48 * 3_600_000;

/**
 * Reads the provider's own list of what it received and takes up whatever no notice has told of. Money for a txid
 * that is none of ours is unexpected. The cursor moves on only when all of it is recorded; a payment that can't be
 * is tried each time, and holds up no other.
 */
export async function readPayments(parts: ReadList, environment: Environment): Promise<void> {
  const { database, everyMs } = parts;
  const cursor = { environment, list: 'payments' } as const;
  const turn = await claimCursor(database, cursor, everyMs);
  if (!turn) return;
  const { readUntil, now } = turn;
  const from = new Date(readUntil.getTime() - OVERLAP_MS);
  const isComplete = await takeUpAll(parts, { environment, from, to: now });
  failPoint('payments.read');
  if (isComplete) await advanceCursor(database, cursor, now);
}

/** Reads the last two days of the same list once an hour, for payments that were listed long after they happened. */
export async function readLatePayments(parts: ReadList, environment: Environment): Promise<void> {
  const cursor = { environment, list: 'late_payments' } as const;
  const turn = await claimCursor(parts.database, cursor, LATE_EVERY_MS);
  if (!turn) return;
  const from = new Date(turn.now.getTime() - LATE_OVERLAP_MS);
  await takeUpAll(parts, { environment, from, to: turn.now });
}

/** True when all that is listed of the period is recorded. */
async function takeUpAll(
  parts: ReadList,
  { environment, ...period }: { environment: Environment; from: Date; to: Date },
): Promise<boolean> {
  let isComplete = true;
  for await (const page of parts.pix(environment).listPayments(period)) {
    isComplete = (await takeUp(parts, environment, page)) && isComplete;
  }
  return isComplete;
}

async function takeUp(
  { database, log }: ReadList,
  environment: Environment,
  page: readonly ProviderPayment[],
): Promise<boolean> {
  const numbers = page.map(({ endToEndId }) => endToEndId);
  const known = await knownPayments(database, numbers);
  const news = page.filter(({ endToEndId }) => !known.has(endToEndId));
  if (news.length === 0) return true;
  const txids = news.flatMap(({ txid }) => txid ?? []);
  const chargeIds = await findChargeIds(database, txids);
  let isComplete = true;
  for (const { txid, endToEndId, amount, paidAt } of news) {
    const payment = { endToEndId, amount, paidAt };
    const chargeId = txid === null ? undefined : chargeIds.get(txid);
    const nobodys = { merchantId: null, chargeId: null, cause: 'UNKNOWN_CHARGE' as const };
    try {
      if (chargeId) await recordPayments({ database, log }, chargeId, [payment]);
      else
        await database.transaction((tx) =>
          recordUnexpected(tx, { ...payment, ...nobodys, environment, txid }),
        );
    } catch (error) {
      isComplete = false;
      log.error({ err: error, environment, chargeId }, 'a payment the provider lists could not be recorded');
    }
  }
  return isComplete;
}
