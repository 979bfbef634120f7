import type { Database, Transaction } from '@plataforma/data';
import { type Clock, newId, type ProviderScope, Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { endByMerchantClock, type Stops, withClockOffset } from '@plataforma/service';
import {
  type Alarm,
  type ExternalOrder,
  externalOrder,
  LeaseOver,
  type OrderDecision,
} from '@plataforma/work';
import { isBarred } from '../domain/merchant.ts';
import {
  backoff,
  type OrderOutcome,
  type Payout,
  RECHECK_MS,
  requestOf,
  watch,
  withdrawalAfter,
} from '../domain/payout.ts';
import { payoutSubject } from '../domain/stop-subject.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { failPoint, situation } from '../fail-points.ts';
import { AnotherAmount, type PayoutClient } from '../payouts/payout-client.ts';
import { type PayoutAlarm, raiseAlarm } from '../store/payout-alarms.ts';
import { lockPayout, saveAndAnnounce, saveWithdrawal } from '../store/withdrawals.ts';

export interface AdvancePayout {
  database: Database;
  clock: Clock;
  log: Log;
  compareBooksBeforePayout(withdrawal: Withdrawal): Promise<'proven' | 'unfinished' | 'mismatch'>;
  hasSignedApprovals(withdrawal: Withdrawal): boolean;
  merchants: { get(merchantId: string): Promise<Parameters<typeof isBarred>[0]> };
  payoutClientOf(scope: ProviderScope): PayoutClient;
  stops: Stops;
  /**
   * A refusal becomes final only after this time, because an earlier request for the payout could reach the
   * provider late.
   */
  unconfirmedMs: number;
}

/**
 * Builds the saga that pays each approved Pix withdrawal once. The saga waits while operators have stopped
 * payouts, the ledger's records are not verified or the merchant is suspended. It also waits if the gateway
 * did not sign an approval.
 */
export function createPayoutOrder(dependencies: AdvancePayout): ExternalOrder<Payout> {
  const { database, clock, merchants, payoutClientOf, stops, unconfirmedMs } = dependencies;
  return externalOrder<Payout, OrderOutcome, Transaction>({
    clock,
    backoff,
    watch,
    unconfirmedMs,
    inRow: (item, work) =>
      database.transaction(async (tx) => {
        const locked = await lockPayout(tx, item);
        return work(tx, await withClockOffset(tx, locked, locked.withdrawal));
      }),
    async prepare({ withdrawal }) {
      const waitFor = (ms: number) => ({ state: 'wait', until: new Date(clock().getTime() + ms) }) as const;
      const isStopped = await stops.isStopped(payoutSubject(withdrawal));
      const isPayable = !isStopped && !isBarred(await merchants.get(withdrawal.merchantId));
      if (!isPayable || !dependencies.hasSignedApprovals(withdrawal)) return waitFor(RECHECK_MS);
      const books = await dependencies.compareBooksBeforePayout(withdrawal);
      if (books === 'proven') return { state: 'ready' };
      return waitFor(books === 'unfinished' ? 0 : RECHECK_MS);
    },
    async order({ withdrawal }, lease) {
      failPoint('payout.sending');
      const client = payoutClientOf(withdrawal);
      const gate = stops.gate(payoutSubject(withdrawal), lease);
      const outcome = await client.order(requestOf(withdrawal), gate).catch((error) => {
        if (error instanceof LeaseOver) situation('late payout order fenced');
        throw error;
      });
      failPoint('payout.answered');
      return outcome;
    },
    async find({ status, withdrawal }) {
      const client = payoutClientOf(withdrawal);
      if (client.payingPixKey !== withdrawal.payingPixKey) throw orderedElsewhere();
      const found = await client.find(requestOf(withdrawal));
      failPoint('payout.inspected');
      if (status === 'ORDERED' || status === 'UNCONFIRMED')
        situation(found ? 'unknown payout found done' : 'unknown payout found not done');
      return found;
    },
    recordDecision: (tx, locked, decision) => record(dependencies, tx, locked, decision),
  });
}

/**
 * Returns the error for a payout that was sent from a Pix key other than the configured one. The configured
 * account does not have the payout and would pay it again.
 */
function orderedElsewhere(): Refusal {
  const message = 'the payout was ordered from another key than the configured one';
  return new Refusal('provider_fault', 'PROVIDER_ERROR', message);
}

type Decision = OrderDecision<OrderOutcome>;

async function record(
  dependencies: AdvancePayout,
  tx: Transaction,
  locked: Payout,
  decision: Decision,
): Promise<void> {
  const { verb, isLate, input } = decision;
  if (isLate && !verb && input.kind === 'answer') situation('late payout result fenced');
  if (verb === 'unconfirm') situation('refused payout left unconfirmed');
  const endedAt = await endByMerchantClock(tx, locked.withdrawal, [locked.endedAt, decision.next.endedAt]);
  const next = { ...withdrawalAfter(locked, decision), endedAt };
  const after = verb === 'send' ? { ...next, ...startOf(dependencies, next) } : next;
  const isAnnounced = verb === 'send' || (after.endedAt !== null && locked.endedAt === null);
  await (isAnnounced ? saveAndAnnounce(tx, after) : saveWithdrawal(tx, after));
  const alarm = decision.alarm ?? alarmAbout(locked, decision);
  if (alarm) await raise(dependencies, tx, locked, alarm);
}

function startOf({ clock, payoutClientOf }: AdvancePayout, withdrawal: Withdrawal) {
  return { startedAt: clock(), payingPixKey: payoutClientOf(withdrawal).payingPixKey };
}

/**
 * Returns an alarm if the provider paid a different amount. The payout's status stays unchanged, because an
 * operator must decide.
 */
function alarmAbout({ status: recorded }: Payout, { input }: Decision): Alarm | null {
  if (input.kind !== 'unknown' || !(input.error instanceof AnotherAmount)) return null;
  const kind = recorded === 'FAILED' ? 'DONE_AFTER_FAILED' : 'ANOTHER_AMOUNT';
  return { kind, recorded, ...input.error.paid };
}

async function raise(
  { clock, log }: AdvancePayout,
  tx: Transaction,
  locked: Payout,
  alarm: Alarm,
): Promise<void> {
  const { id: withdrawalId, merchantId, environment, status } = locked.withdrawal;
  const { kind, reference: providerTxId, amount } = alarm;
  const recorded: PayoutAlarm['recorded'] =
    status === 'COMPLETED' || status === 'FAILED' ? status : 'PROCESSING';
  const alarmRow = {
    id: newId(),
    withdrawalId,
    merchantId,
    environment,
    recorded,
    kind,
    providerTxId,
    amount,
  };
  const isNew = await raiseAlarm(tx, { ...alarmRow, createdAt: clock() });
  if (isNew) log.error({ withdrawalId, recorded, kind }, 'payout outcome contradicts its record');
}
