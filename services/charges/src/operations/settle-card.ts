import {
  type Database,
  type Keep,
  type Log,
  type MerchantDirectory,
  sometimes,
  type Transaction,
} from '@plataforma/chassis';
import { type Clock, Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import type { CardOutcome } from '../cards/acquirer-client.ts';
import { declined, NEVER_ARRIVED, settlementOf, undecided } from '../domain/card.ts';
import { type Charge, demandStatusAfter } from '../domain/charge.ts';
import { lockCharge, lookAgainAt, saveCharge, watchAttempt } from '../store/charges.ts';
import { announcementOf } from './announcement.ts';

export interface SettleCard {
  database: Database;
  merchants: MerchantDirectory;
  clock: Clock;
  log: Log;
}

const ASK_AGAIN_MS = 2_000;

interface Heard {
  /** Null: it is decided, or the approval is noted, already. */
  outcome: CardOutcome | null;
  keep: Keep<Charge>;
}

/**
 * Makes the acquirer's word the charge's state, for a caller who is there to hear it. Refuses with CARD_DECLINED, or
 * with PROVIDER_UNAVAILABLE while nothing is decided. An approval of an attempt that has ended is given back by the
 * clock.
 */
export async function collectCard(
  parts: SettleCard,
  { id, merchantId }: Charge,
  { outcome, keep }: Heard,
): Promise<Charge> {
  if (outcome?.state === 'declined') {
    const { reason } = outcome;
    throw declined(await declineCard(parts, id, { reason, keep: (tx, as) => keep(tx, declined(as)) }));
  }
  if (outcome?.state === 'processing') {
    await lookAgainAt(parts.database, id, new Date(parts.clock().getTime() + ASK_AGAIN_MS));
    throw undecided('the acquirer has not decided yet');
  }
  const { settlementDays } = await parts.merchants.find(merchantId);
  const collected = await parts.database.transaction(async (tx) => {
    const charge = await lockCharge(tx, id);
    if (charge.status !== 'PENDING') {
      if (outcome) {
        sometimes('late card result fenced');
        await watchAttempt(tx, id, parts.clock());
      }
      const end = charge.status === 'DECLINED' ? declined(charge.card?.declineReason ?? null) : charge;
      await keep(tx, end);
      return end;
    }
    if (charge.card?.isVoiding) throw undecided('the payment is being given back');
    const paidAt = parts.clock();
    const paid = {
      ...(outcome ? withApproval(charge, outcome) : charge),
      status: demandStatusAfter(charge.status, 'pay'),
      paidAt,
      settlesAt: settlementOf(paidAt, settlementDays),
      sequence: charge.sequence + 1,
    };
    await saveCharge(tx, paid);
    await announce(tx, announcementOf(paid));
    await keep(tx, paid);
    return paid;
  });
  if (collected instanceof Refusal) throw collected;
  return collected;
}

interface Approval {
  approved: Extract<CardOutcome, { state: 'approved' }>;
  /** Until then it waits to be collected. */
  keptUntil: Date;
}

/** Notes an approval that nobody waits for: it is collected by the next same request, or given back. */
export async function noteApproval(
  { database }: SettleCard,
  chargeId: string,
  { approved, keptUntil }: Approval,
): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    if (charge.status !== 'PENDING') return;
    await saveCharge(tx, withApproval(charge, approved));
    await lookAgainAt(tx, chargeId, keptUntil);
  });
}

interface Decline {
  reason: string;
  /** Keeps why it was declined, once it is. */
  keep?: (tx: Transaction, reason: string | null) => Promise<void>;
}

/**
 * Ends an attempt that came to nothing; answers why it did, which may be older news. One the acquirer does not know
 * is watched from then on.
 */
export async function declineCard(
  { database, clock }: Pick<SettleCard, 'database' | 'clock'>,
  chargeId: string,
  { reason, keep }: Decline,
): Promise<string | null> {
  return database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    if (charge.status !== 'PENDING' || !charge.card) {
      const known = charge.card?.declineReason ?? null;
      if (charge.status === 'DECLINED') await keep?.(tx, known);
      return known;
    }
    const card = { ...charge.card, declineReason: reason, isVoiding: false };
    await saveCharge(tx, { ...charge, status: demandStatusAfter(charge.status, 'decline'), card });
    if (reason === NEVER_ARRIVED) await watchAttempt(tx, charge.id, clock());
    await keep?.(tx, reason);
    return reason;
  });
}

function withApproval(charge: Charge, approved: Extract<CardOutcome, { state: 'approved' }>): Charge {
  if (!charge.card) throw new Error('a charge without a card was approved by an acquirer');
  const { acquirerId, brand, lastDigits } = approved;
  return { ...charge, card: { ...charge.card, acquirerId, brand, lastDigits } };
}
