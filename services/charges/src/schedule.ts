import type { Database, Queryable } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { every } from '@plataforma/observe';
import { aheadOf } from '@plataforma/service';
import {
  type Claimed,
  LeaseOver,
  leasedWork,
  type QueueWork,
  queueWork,
  startQueueWorkers,
} from '@plataforma/work';
import { endCheckout, endLink } from './checkouts/operations/end-checkouts.ts';
import { forgetVisits } from './checkouts/operations/forget-visits.ts';
import { type DueCheckout, endingCheckouts, openForms, releaseUse } from './checkouts/store/checkouts.ts';
import { endingLinks } from './checkouts/store/payment-links.ts';
import type { ChargesDependencies } from './dependencies.ts';
import { endAtBank } from './disputes/operations/end-at-bank.ts';
import { readInfractions } from './disputes/operations/read-infractions.ts';
import { resealFiles } from './disputes/operations/reseal-files.ts';
import { forwardEvidence } from './disputes/operations/send-evidence.ts';
import {
  type DueForward,
  disputeOf,
  dueAtBank,
  dueForwards,
  requireDisputeSeal,
} from './disputes/store/disputes.ts';
import { bornAt } from './domain/card.ts';
import type { Charge } from './domain/charge.ts';
import { failPoint, situation } from './fail-points.ts';
import { metrics } from './metrics.ts';
import { refundOrders } from './operations/advance-refund.ts';
import { cancelCharge } from './operations/cancel-charge.ts';
import { registerCharge } from './operations/create-pix-charge.ts';
import { expireCharge } from './operations/expire-charge.ts';
import { findLateCard } from './operations/find-late-card.ts';
import { readLatePayments, readPayments } from './operations/read-payments.ts';
import { resolveCard } from './operations/resolve-card.ts';
import { returnCard } from './operations/return-card.ts';
import { returnOrders } from './operations/return-payment.ts';
import { compareDay } from './reconciliation/operations/compare-day.ts';
import { reconcileDue } from './reconciliation/operations/reconcile-due.ts';
import { dueReconciliations } from './reconciliation/store/reconciliations.ts';
import { chargeOf, requireSeal } from './store/charge-rows.ts';
import { checkAgainAt, dueCharges, watchedAttempts } from './store/due-charges.ts';
import { hasUse } from './store/paid-charges.ts';
import { dueCursors } from './store/provider-cursors.ts';
import { dueRefunds, refundOrderOf, requireRefundSeal } from './store/refunds.ts';
import { dueReturns, requireReturnSeal, returnOrderOf } from './store/unmatched-returns.ts';

const endsFailed = metrics.recorder('plataforma_checkout_ends_failed_total', [
  { what: 'checkout' },
  { what: 'link' },
]);

const AT_ONCE = 50;
/**
 * A process sends one defense at a time in each environment, because an evidence file needs several times its
 * size in memory.
 */
const FORWARDS_AT_ONCE = 1;

const readings = {
  payments: readPayments,
  late_payments: readLatePayments,
  infractions: readInfractions,
};

/** Starts the work of the scheduler. Work that failed is due again when its lease has ended. */
export function startSchedule(dependencies: ChargesDependencies): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = dependencies;
  const options = { database, log, clock, everyMs, leaseMs, atOnce: AT_ONCE };
  return startQueueWorkers({
    ...options,
    works: worksOf(dependencies),
    onClaimed: () => failPoint('work.claimed'),
  });
}

/** Starts the deletion of old visits without a charge. */
export function startForgetting(dependencies: ChargesDependencies): { stop(): Promise<void> } {
  const { database, log, clock, checkoutRetentionDays, forgetEveryMs: everyMs } = dependencies;
  const work = () => forgetVisits(database, checkoutRetentionDays, clock());
  return every({ everyMs, log, name: 'visits that came to nothing', work });
}

/**
 * Starts the job that finds evidence files of older keys and encrypts these files with the first key.
 * Operators can then remove the older keys.
 */
export function startResealing(dependencies: ChargesDependencies): { stop(): Promise<void> } {
  const { log, resealEveryMs: everyMs } = dependencies;
  return every({ everyMs, log, name: 'sealed files', work: () => resealFiles(dependencies) });
}

function worksOf(dependencies: ChargesDependencies): QueueWork[] {
  const sealed = onSealedRows(dependencies.database);
  const works = [
    leasedWork({
      name: 'due charges',
      queue: dueCharges,
      read: chargeOf,
      clock: dependencies.clock,
      work: sealed(
        requireSeal,
        noticing((claimed) => checkCharge(dependencies, claimed)),
      ),
    }),
    leasedWork({
      name: 'refunds',
      queue: dueRefunds,
      read: refundOrderOf,
      clock: dependencies.clock,
      work: sealed(requireRefundSeal, refundOrders(dependencies).advance),
    }),
    ...disputeWorks(dependencies),
    ...checkoutWorks(dependencies),
    leasedWork({
      name: 'provider lists',
      environments: dependencies.pixEnvironments,
      queue: dueCursors,
      read: (row) => row,
      clock: dependencies.clock,
      work: (claimed) => readings[claimed.item.list](dependencies, claimed),
    }),
    reconciling(dependencies),
  ];
  if (dependencies.keepsUnmatched) return works;
  return [
    ...works,
    leasedWork({
      name: 'ended card attempts',
      queue: watchedAttempts,
      read: chargeOf,
      clock: dependencies.clock,
      work: sealed(
        requireSeal,
        noticing((claimed) =>
          claimed.item.card?.acquirerId
            ? returnCard(dependencies, claimed)
            : findLateCard(dependencies, claimed),
        ),
      ),
    }),
    leasedWork({
      name: 'returns of unexpected payments',
      queue: dueReturns,
      read: returnOrderOf,
      clock: dependencies.clock,
      work: sealed(requireReturnSeal, returnOrders(dependencies).advance),
    }),
  ];
}

function disputeWorks(dependencies: ChargesDependencies): QueueWork[] {
  return [
    leasedWork({
      name: 'evidence',
      atOnce: FORWARDS_AT_ONCE,
      queue: dueForwards,
      read: (row): DueForward => disputeOf(row),
      clock: dependencies.clock,
      work: onSealedRows(dependencies.database)(requireDisputeSeal, (claimed) =>
        forwardEvidence(dependencies, claimed),
      ),
    }),
    queueWork({
      name: 'ended disputes at the sandbox bank',
      environments: ['sandbox'],
      queue: dueAtBank,
      read: (row) => row,
      work: (dispute) => endAtBank(dependencies, dispute),
    }),
  ];
}

/** Returns work that begins only on a row with a valid seal, which `requireGood` checks. */
const onSealedRows =
  (database: Database) =>
  <Item>(
    requireGood: (db: Queryable, item: NoInfer<Item>) => void,
    work: (claimed: Claimed<Item>) => Promise<unknown>,
  ) =>
  async (claimed: Claimed<Item>): Promise<void> => {
    requireGood(database, claimed.item);
    await work(claimed);
  };

/**
 * Log lines name the link and not the visit, because any caller that knows the visit's id may read and pay
 * the visit.
 */
const linkOf = ({ linkId }: DueCheckout) => ({ linkId });

function checkoutWorks(dependencies: ChargesDependencies): QueueWork[] {
  return [
    queueWork({
      name: 'card forms',
      queue: openForms,
      read: (row) => row,
      logFields: linkOf,
      work: ({ id }) => releaseUse(dependencies.database, id, dependencies.clock()),
    }),
    queueWork({
      name: 'ends of checkouts',
      queue: endingCheckouts,
      read: (row) => row,
      logFields: linkOf,
      work: ({ id }) => countFailures('checkout', endCheckout(dependencies, id)),
    }),
    leasedWork({
      name: 'ends of payment links',
      queue: endingLinks,
      read: (row) => row,
      clock: dependencies.clock,
      work: (claimed) => countFailures('link', endLink(dependencies, claimed)),
    }),
  ];
}

function reconciling(dependencies: ChargesDependencies): QueueWork {
  return leasedWork({
    name: 'reconciliation',
    queue: dueReconciliations,
    read: (row) => row,
    clock: dependencies.clock,
    work: (claimed) =>
      reconcileDue({ ...dependencies, compareDay: (day) => compareDay(dependencies, day) }, claimed),
  });
}

async function countFailures(what: 'checkout' | 'link', ending: Promise<void>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    endsFailed({ what }, 1);
    throw error;
  }
}

type Work = (claimed: Claimed<Charge>) => Promise<void>;

const noticing =
  (work: Work): Work =>
  async (claimed) => {
    try {
      await work(claimed);
    } catch (error) {
      if (error instanceof LeaseOver) situation('late order of the clock fenced');
      throw error;
    }
  };

/**
 * Checks a charge. Expires an overdue charge, registers a charge without a code, and asks the provider about
 * any other charge at growing intervals.
 */
async function checkCharge(dependencies: ChargesDependencies, claimed: Claimed<Charge>): Promise<void> {
  const { item: charge } = claimed;
  if (charge.paymentMethod === 'CARD') {
    const mustReturn = await resolveCard(dependencies, claimed);
    return mustReturn ? returnCard(dependencies, claimed) : undefined;
  }
  const { database, clock, firstPollMs } = dependencies;
  const now = clock();
  const aheadMs = await aheadOf(database, charge);
  const leftMs = (charge.expiresAt?.getTime() ?? 0) - now.getTime() - aheadMs;
  if (charge.expiresAt && leftMs <= 0) return expireCharge(dependencies, charge);
  if (!(await hasUse(database, charge))) return takeBack(dependencies, charge);
  if (charge.qrCode === null) {
    await registerCharge(dependencies, charge, aheadMs);
    return;
  }
  await dependencies.confirmPaymentsNow(charge);
  const age = now.getTime() - bornAt(charge).getTime();
  const pauseMs = Math.min(Math.max(age, firstPollMs), leftMs);
  await checkAgainAt(database, claimed, new Date(now.getTime() + pauseMs));
}

/**
 * Removes the code of a charge at the provider when other payments have used up its link. Does nothing for a
 * charge that was paid meanwhile.
 */
async function takeBack(dependencies: ChargesDependencies, charge: Charge): Promise<void> {
  await cancelCharge(dependencies, charge, charge.id).catch((error) => {
    if (!(error instanceof Refusal && error.code === 'CHARGE_NOT_CANCELLABLE')) throw error;
  });
}
