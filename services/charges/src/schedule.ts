import { createLease, every, failPoint, type Lease } from '@plataforma/chassis';
import { type Environment, environments } from '@plataforma/kernel';
import type { Charge } from './domain/charge.ts';
import { type AdvanceRefund, advanceRefund } from './operations/advance-refund.ts';
import { askProvider } from './operations/confirm-payment.ts';
import { expireCharge } from './operations/expire-charge.ts';
import { readInfractions } from './operations/read-infractions.ts';
import { readLatePayments, readPayments } from './operations/read-payments.ts';
import { registerCharge } from './operations/register-charge.ts';
import { resolveCard } from './operations/resolve-card.ts';
import { returnLateCard } from './operations/return-late-card.ts';
import { returnPayment } from './operations/return-payment.ts';
import { forwardEvidence } from './operations/send-evidence.ts';
import type { SettleCard } from './operations/settle-card.ts';
import { type Claim, claimDueCharges, claimWatchedAttempts, lookAgainAt } from './store/charges.ts';
import { claimDueForwards } from './store/disputes.ts';
import { claimDueRefunds } from './store/refunds.ts';
import { claimDueReturns } from './store/unexpected-payments.ts';

interface Schedule extends Omit<AdvanceRefund, 'keep'>, SettleCard {
  /** How long the clock waits between two looks. */
  everyMs: number;
  /** For how long nobody else looks at something, and how long it rests after it could not be settled. */
  leaseMs: number;
  firstPollMs: number;
  cardHorizonMs: number;
  /** Money that came for nothing we know of stays where it is, for what we know may be too old. */
  isHolding: boolean;
  /** How often a provider's own lists are read. */
  readListsEveryMs: number;
  /** Those with a Pix provider. */
  pixEnvironments: readonly Environment[];
}

const BATCH_SIZE = 50;

/** What the clock calls, each environment and each sort of work for itself: a slow provider holds up no other. */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs } = parts;
  let isStopped = false;

  /** Works off what is due until nothing is left; one that fails comes again when its claim has run out. */
  function workOff<T>(
    environment: Environment,
    name: string,
    { claim, work }: { claim: (claim: Claim) => Promise<T[]>; work: (due: T, lease: Lease) => Promise<void> },
  ) {
    const attempt = (due: T, lease: Lease) =>
      work(due, lease).catch((error) => log.warn({ err: error, environment }, `${name}: put off`));
    return every({
      everyMs,
      log,
      name,
      work: async () => {
        while (!isStopped) {
          const now = clock();
          const due = await claim({ environment, now, leaseMs, limit: BATCH_SIZE });
          if (due.length > 0) failPoint('work.claimed');
          const until = new Date(now.getTime() + leaseMs);
          const lease = createLease({ clock, until, whenOver: 'late refund order fenced' });
          await Promise.all(due.map((each) => attempt(each, lease)));
          if (due.length < BATCH_SIZE) return;
        }
      },
    });
  }

  const running = environments.flatMap((environment) => [
    workOff(environment, 'due charges', {
      claim: (claim) => claimDueCharges(database, claim),
      work: (charge, lease) => lookAt(parts, charge, lease),
    }),
    workOff(environment, 'refunds', {
      claim: (claim) => claimDueRefunds(database, claim),
      work: async (refund, lease) => {
        await advanceRefund({ ...parts, keep: null }, refund, lease);
      },
    }),
    workOff(environment, 'evidence', {
      claim: (claim) => claimDueForwards(database, claim),
      work: (dispute) => forwardEvidence(parts, dispute),
    }),
    ...(parts.isHolding ? [] : returnMoney(environment)),
    ...readLists(parts, environment),
  ]);

  function returnMoney(environment: Environment) {
    return [
      workOff(environment, 'ended card attempts', {
        claim: (claim) => claimWatchedAttempts(database, claim),
        work: (charge, lease) => returnLateCard(parts, charge, lease),
      }),
      workOff(environment, 'returns of unexpected payments', {
        claim: (claim) => claimDueReturns(database, claim),
        work: (payment, lease) => returnPayment(parts, payment, lease),
      }),
    ];
  }

  return {
    async stop() {
      isStopped = true;
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}

/** An environment without a provider has no lists. */
function readLists(parts: Schedule, environment: Environment) {
  if (!parts.pixEnvironments.includes(environment)) return [];
  const { log, everyMs } = parts;
  const reading = { ...parts, everyMs: parts.readListsEveryMs };
  return [
    every({ everyMs, log, name: 'provider payments', work: () => readPayments(reading, environment) }),
    every({ everyMs, log, name: 'late payments', work: () => readLatePayments(reading, environment) }),
    every({ everyMs, log, name: 'infractions', work: () => readInfractions(reading, environment) }),
  ];
}

/** Charges past their time expire; those without a code get one; the others are asked about, ever more rarely. */
async function lookAt(parts: Schedule, charge: Charge, lease: Lease): Promise<void> {
  if (charge.paymentMethod === 'CARD') return resolveCard(parts, charge, lease);
  const { database, pix, clock, firstPollMs } = parts;
  const now = clock();
  if (charge.expiresAt && charge.expiresAt <= now) return expireCharge(parts, charge);
  if (charge.qrCode === null) {
    await registerCharge({ database, provider: pix(charge.environment), clock, firstPollMs }, charge);
    return;
  }
  await askProvider(parts, charge);
  const age = now.getTime() - charge.createdAt.getTime();
  const next = Math.min(now.getTime() + Math.max(age, firstPollMs), charge.expiresAt?.getTime() ?? 0);
  await lookAgainAt(database, charge.id, new Date(next));
}
