import type { Database } from '@plataforma/data';
import { addDays, type Clock, dayOf, type Environment, startOfDay } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type Claimed, dueAfter, LeaseOver } from '@plataforma/work';
import { raiseAlarm } from '../../store/new-alarms.ts';
import { type Finding, findingOf } from '../domain/finding.ts';
import { type Compared, differencesOf } from '../domain/reconciliation.ts';
import {
  type DueReconciliation,
  dueReconciliations,
  endComparison,
  type NextComparison,
} from '../store/reconciliations.ts';

interface ReconcileDue {
  database: Database;
  clock: Clock;
  log: Log;
  clients: Record<'pix' | 'cards', Partial<Record<Environment, unknown>>>;
  /**
   * Compares a day hour by hour. Calls `beat` between its requests, so that the lease of the day is extended.
   */
  compareDay: (day: {
    date: string;
    environment: Environment;
    beat: () => Promise<void>;
  }) => AsyncIterable<Compared[]>;
  /**
   * The delay between a day's end and its comparison, so that the day's last payments are recorded and
   * posted.
   */
  reconcileAfterMs: number;
  /** The delay before a difference is compared again. */
  reconcileAgainMs: number;
}

/** The lease is many times longer than a slow provider takes to return a page of payments. */
const LEASE_MS = 10 * 60_000;
const EXTEND_EVERY_MS = 60_000;
const AGAIN = { kind: 'doubling', firstMs: 60_000, longestMs: 30 * 60_000 } as const;
/**
 * The maximum number of days that the scheduler looks back, for example after a long outage. Older days are
 * compared only if an operator requests their report.
 */
const MOST_DAYS_BACK = 31;
/**
 * The maximum number of comparisons of a day. A difference raises an alarm only if the previous comparison
 * found the same difference. The last comparison raises alarms for all differences.
 */
const MAX_COMPARISONS = 4;
/**
 * The maximum number of alarms from one comparison of a day. The operators' report still counts all
 * differences.
 */
const MOST_FINDINGS = 1000;

/**
 * Compares the next ended day. Because a message or a clock may be late, a day with differences is compared
 * again. A difference that did not change raises an alarm. The day is done when all its differences have
 * raised alarms.
 */
export async function reconcileDue(
  dependencies: ReconcileDue,
  claimed: Claimed<DueReconciliation>,
): Promise<void> {
  const { database, log, clock } = dependencies;
  const { id, environment, attempts } = claimed.item;
  const today = dayOf(clock(), 'UTC');
  const { day, seen, looks } = positionIn(claimed.item, addDays(today, -MOST_DAYS_BACK));
  const isDue = dueOf(dependencies, day) <= clock();
  if (!isDue)
    return putOff(dependencies, claimed, { dueAt: dueOf(dependencies, day), nextDay: day, seen, looks });
  if (day !== claimed.item.nextDay)
    log.error({ environment, from: claimed.item.nextDay, to: day }, 'days too old to be reconciled');
  let findings: Finding[];
  try {
    findings = await findingsOf(dependencies, claimed, { date: day, environment });
  } catch (error) {
    // Unlike `endComparison`, `release` does not throw when another process has claimed the day, so that the
    // comparison's own error is thrown.
    const dueAt = dueAfter(AGAIN, { attempts, now: clock() });
    await dueReconciliations.release(database, { id, token: claimed.lease.token, dueAt });
    throw error;
  }
  const isLast = looks + 1 >= MAX_COMPARISONS;
  const reported = findings.filter(({ key }) => isLast || seen.includes(key));
  const next: NextComparison =
    reported.length === findings.length
      ? { dueAt: dueOf(dependencies, addDays(day, 1)), nextDay: addDays(day, 1), seen: [], looks: 0 }
      : {
          dueAt: againAt(dependencies),
          nextDay: day,
          seen: findings.map(({ key }) => key),
          looks: looks + 1,
        };
  await endComparison(database, claimed, {
    next: next,
    async alsoDo(tx) {
      for (const { key: _, ...finding } of reported) {
        await raiseAlarm(tx, { ...finding, subject: 'payment', environment, at: clock() });
      }
    },
  });
  if (reported.length > 0)
    log.error(
      { environment, day, payments: reported.length },
      'payments of a day differ between bank, charges and ledger',
    );
}

/**
 * Returns the next day to compare, with the findings and the number of its earlier comparisons. If that day
 * is before `first`, returns `first` without earlier comparisons.
 */
function positionIn({ nextDay, seen, looks }: DueReconciliation, first: string) {
  return nextDay < first ? { day: first, seen: [], looks: 0 } : { day: nextDay, seen, looks };
}

function putOff(
  { database }: ReconcileDue,
  claimed: Claimed<DueReconciliation>,
  next: NextComparison,
): Promise<void> {
  return endComparison(database, claimed, { next: next, alsoDo: async () => {} });
}

async function findingsOf(
  dependencies: ReconcileDue,
  { item: { id }, lease: { token } }: Claimed<DueReconciliation>,
  day: { date: string; environment: Environment },
): Promise<Finding[]> {
  const { database, clock, log } = dependencies;
  const findings: Finding[] = [];
  let count = 0;
  let unasked = 0;
  const clients = {
    PIX: dependencies.clients.pix[day.environment],
    CARD: dependencies.clients.cards[day.environment],
  };
  let extendedAt = Number.NEGATIVE_INFINITY;
  const beat = async () => {
    const now = clock();
    if (now.getTime() - extendedAt < EXTEND_EVERY_MS) return;
    if (!(await dueReconciliations.extend(database, { id, token, now, leaseMs: LEASE_MS })))
      throw new LeaseOver();
    extendedAt = now.getTime();
  };
  await beat();
  for await (const compared of dependencies.compareDay({ ...day, beat })) {
    await beat();
    for (const difference of compared.flatMap(differencesOf)) {
      const finding = findingOf(difference);
      if (!finding) continue;
      if (finding.kind === 'UNBACKED' && !clients[difference.paymentMethod]) {
        unasked += 1;
        continue;
      }
      count += 1;
      if (findings.length < MOST_FINDINGS) findings.push(finding);
    }
  }
  if (unasked > 0) log.error({ ...day, payments: unasked }, 'no configured provider can answer this');
  if (count > MOST_FINDINGS) log.error({ ...day, payments: count }, 'too many for alarms');
  return findings;
}

function dueOf({ reconcileAfterMs }: ReconcileDue, day: string): Date {
  return new Date(startOfDay(addDays(day, 1), 'UTC').getTime() + reconcileAfterMs);
}

function againAt({ clock, reconcileAgainMs }: ReconcileDue): Date {
  return new Date(clock().getTime() + reconcileAgainMs);
}
