import type { Database } from '@plataforma/data';
import type { Clock, Environment } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Claimed } from '@plataforma/work';
import type { PixReceipt } from '../domain/payment.ts';
import { failPoint } from '../fail-points.ts';
import type { ListedPixReceipt, PixProviders } from '../pix/pix-client.ts';
import { findChargeIds } from '../store/charge-lookups.ts';
import { findRecordedIds } from '../store/payments.ts';
import { type ProviderCursor, readList } from '../store/provider-cursors.ts';
import { recordUnmatched } from '../store/unmatched-payments.ts';

interface ReadPayments {
  database: Database;
  pix: PixProviders;
  clock: Clock;
  log: Log;
  leaseMs: number;
  readListsEveryMs: number;
  recordChargePayments: (chargeId: string, payments: readonly PixReceipt[]) => Promise<void>;
}

/**
 * A reading begins this long before the cursor, because a provider may list a payment some time after it
 * happened.
 */
const OVERLAP_MS = 10 * 60_000;
/**
 * The interval of readings for late payments. A provider with problems may list some payments many hours
 * late.
 */
const LATE_EVERY_MS = 3_600_000;
const LATE_OVERLAP_MS = 48 * 3_600_000;

/**
 * Reads the provider's list of received payments, and records payments that no callback reported. A payment
 * with an unknown txid is unmatched. A payment that can't be recorded is retried at each reading and blocks
 * no other payment.
 */
export function readPayments(dependencies: ReadPayments, claimed: Claimed<ProviderCursor>): Promise<void> {
  return readList(dependencies, claimed, {
    ...paymentsOf(dependencies, claimed.item),
    everyMs: dependencies.readListsEveryMs,
    overlapMs: OVERLAP_MS,
    whenRead: () => failPoint('payments.read'),
  });
}

/**
 * Reads the last two days of the provider's list of payments once an hour, for payments that the provider
 * listed late.
 */
export function readLatePayments(
  dependencies: ReadPayments,
  claimed: Claimed<ProviderCursor>,
): Promise<void> {
  const reading = paymentsOf(dependencies, claimed.item);
  return readList(dependencies, claimed, { ...reading, everyMs: LATE_EVERY_MS, overlapMs: LATE_OVERLAP_MS });
}

function paymentsOf(dependencies: ReadPayments, { environment }: ProviderCursor) {
  return {
    pages: (period: { from: Date; to: Date }) => dependencies.pix({ environment }).listPayments(period),
    record: (page: readonly ListedPixReceipt[]) => recordPage(dependencies, environment, page),
  };
}

async function recordPage(
  { database, log, recordChargePayments }: ReadPayments,
  environment: Environment,
  page: readonly ListedPixReceipt[],
): Promise<boolean> {
  const endToEndIds = page.map(({ endToEndId }) => endToEndId);
  const recordedIds = await findRecordedIds(database, endToEndIds);
  const added = page.filter(({ endToEndId }) => !recordedIds.has(endToEndId));
  if (added.length === 0) return true;
  const txids = added.flatMap(({ txid }) => txid ?? []);
  const chargeIds = await findChargeIds(database, txids);
  let isComplete = true;
  for (const { txid, endToEndId, amount, paidAt } of added) {
    const payment = { endToEndId, amount, paidAt };
    const chargeId = txid === null ? undefined : chargeIds.get(txid);
    const unmatched = { merchantId: null, chargeId: null, cause: 'UNKNOWN_CHARGE' as const };
    try {
      if (chargeId) await recordChargePayments(chargeId, [payment]);
      else
        await database.transaction((tx) =>
          recordUnmatched(tx, { ...payment, ...unmatched, environment, txid }),
        );
    } catch (error) {
      isComplete = false;
      log.error({ err: error, environment, chargeId }, 'listed payment not recorded');
    }
  }
  return isComplete;
}
