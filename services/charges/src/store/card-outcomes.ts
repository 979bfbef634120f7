import type { Transaction } from '@plataforma/data';
import type { SaveResponse } from '@plataforma/http';
import type { Clock, Refusal } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import type { Lease } from '@plataforma/work';
import { bornAt, declined } from '../domain/card.ts';
import {
  type CardCharge,
  cardOf,
  type DecidedOutcome,
  decideCard,
  type Situation,
} from '../domain/card-outcome.ts';
import type { Charge } from '../domain/charge.ts';
import { situation } from '../fail-points.ts';
import { lockCharge, saveCharge } from './charges.ts';
import { type NewAlarm, raiseAlarm } from './new-alarms.ts';
import { announcePaid, lockUse } from './paid-charges.ts';

export interface RecordCardOutcome {
  clock: Clock;
  /**
   * The time from a charge's creation during which an approval waits for the caller to repeat the request.
   */
  cardHorizonMs: number;
}

interface Found {
  /**
   * Null if the caller has no new outcome. Only an approval that is already recorded can then pay the charge.
   */
  outcome: DecidedOutcome | null;
  /**
   * The lease under which the outcome was found. An outcome `none` has no effect if another process has
   * claimed the charge since.
   */
  lease?: Lease;
  caller: Situation['caller'];
  saveResponse?: SaveResponse<Charge>;
}

/** Locks the charge and its checkout, records the acquirer's outcome, and returns the updated charge. */
export async function recordCardOutcome(
  tx: Transaction,
  { clock, cardHorizonMs }: RecordCardOutcome,
  chargeId: string,
  { outcome, lease, caller, saveResponse }: Found,
): Promise<CardCharge> {
  const locked = cardOf(await lockCharge(tx, chargeId));
  const now = clock();
  const isUsedUp = locked.status === 'PENDING' && !(await lockUse(tx, locked));
  const { charge, alarm } = decideCard(locked, outcome, {
    now,
    isUsedUp,
    paidAt: await merchantTime(tx, clock, locked),
    collectUntil: new Date(bornAt(locked).getTime() + cardHorizonMs),
    isLate: lease?.isSuperseded(locked) ?? false,
    caller,
  });
  if (outcome?.state === 'approved' && locked.status !== 'PENDING') situation('late card result fenced');
  if (charge !== locked) await saveCharge(tx, charge);
  if (charge.sequence !== locked.sequence) await announcePaid(tx, charge);
  if (alarm) await raiseCardAlarm(tx, charge, alarm, now);
  if (charge.status !== 'PENDING') await saveResponse?.(tx, cardEndOf(charge));
  return charge;
}

export function cardEndOf(charge: CardCharge): Charge | Refusal {
  return charge.status === 'DECLINED' ? declined(charge.card.declineReason) : charge;
}

export async function raiseCardAlarm(
  tx: Transaction,
  { id, merchantId, environment }: Charge,
  { kind, amount }: Pick<NewAlarm, 'kind' | 'amount'>,
  at: Date,
): Promise<void> {
  const about = { subject: 'card', subjectId: id, chargeId: id, merchantId, environment } as const;
  await raiseAlarm(tx, { ...about, kind, amount, at });
}
