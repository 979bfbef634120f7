import type { Environment } from '@plataforma/kernel';
import type { Claimed } from '@plataforma/work';
import { failPoint } from '../fail-points.ts';
import type { ProviderPayment } from '../pix/pix-client.ts';
import { recordPayments } from '../steps/ask-provider.ts';
import { type ReadList, readList } from '../steps/read-list.ts';
import { recordUnexpected } from '../steps/record-unexpected.ts';
import { findChargeIds } from '../store/charge-lookups.ts';
import { knownPayments } from '../store/payments.ts';
import type { ProviderCursor } from '../store/provider-cursors.ts';

/** Providers may list a payment a little after it happened. */
const OVERLAP_MS = 10 * 60_000;
/** And some, on a bad day, much later. */
const LATE_EVERY_MS = 3_600_000;
const LATE_OVERLAP_MS = 48 * 3_600_000;

/**
 * Reads the provider's own list of what it received and takes up whatever no notice has told of. Money for a txid
 * that is none of ours is unexpected. A payment that can't be recorded is tried each time, and holds up no other.
 */
export function readPayments(parts: ReadList, claimed: Claimed<ProviderCursor>): Promise<void> {
  return readList(parts, claimed, {
    ...paymentsOf(parts, claimed.item),
    everyMs: parts.readListsEveryMs,
    overlapMs: OVERLAP_MS,
    whenRead: () => failPoint('payments.read'),
  });
}

/** Reads the last two days of the same list once an hour, for payments that were listed long after they happened. */
export function readLatePayments(parts: ReadList, claimed: Claimed<ProviderCursor>): Promise<void> {
  const reading = paymentsOf(parts, claimed.item);
  return readList(parts, claimed, { ...reading, everyMs: LATE_EVERY_MS, overlapMs: LATE_OVERLAP_MS });
}

function paymentsOf(parts: ReadList, { environment }: ProviderCursor) {
  return {
    pages: (period: { from: Date; to: Date }) => parts.pix({ environment }).listPayments(period),
    takeUp: (page: readonly ProviderPayment[]) => takeUp(parts, environment, page),
  };
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
