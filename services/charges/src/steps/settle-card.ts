import type { Database } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import { type Clock, Refusal } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime } from '@plataforma/service';
import type { Lease } from '@plataforma/work';
import { bornAt, declined, undecided } from '../domain/card.ts';
import { type CardCharge, type CardNews, cardOf, decideCard, type Situation } from '../domain/card-news.ts';
import type { Charge } from '../domain/charge.ts';
import { sometimes } from '../fail-points.ts';
import { lockCharge, saveCharge } from '../store/charges.ts';
import { lockUse } from '../store/completed-checkouts.ts';
import { type NewAlarm, raiseAlarm } from '../store/new-alarms.ts';
import { announcePaid } from './announce-paid.ts';

export interface SettleCard {
  database: Database;
  merchants: MerchantDirectory;
  clock: Clock;
  /** How long an approval waits for the same request to come again. */
  cardHorizonMs: number;
}

interface Found {
  /** Null: it is decided, or the approval is noted, already. */
  news: CardNews | null;
  /** Of the claim that found it out: needed where one order or one moment says nothing of another. */
  lease?: Lease;
  caller: Situation['caller'];
  /** Keeps the end for the caller, once there is one. */
  keep?: Keep<Charge> | undefined;
}

/** Makes the acquirer's word the charge's state, and answers the charge as it is then. */
export async function settleCard(
  { database, clock, cardHorizonMs }: Omit<SettleCard, 'merchants'>,
  chargeId: string,
  { news, lease, caller, keep }: Found,
): Promise<CardCharge> {
  return database.transaction(async (tx) => {
    const locked = cardOf(await lockCharge(tx, chargeId));
    const now = clock();
    const keptUntil = new Date(bornAt(locked).getTime() + cardHorizonMs);
    const isUsedUp = locked.status === 'PENDING' && !(await lockUse(tx, locked));
    const at = { now, paidAt: await merchantTime(tx, clock, locked), keptUntil, isUsedUp };
    const { charge, alarm } = decideCard(locked, news, {
      ...at,
      isLate: lease?.isOver(locked) ?? false,
      caller,
    });
    if (news?.state === 'approved' && locked.status !== 'PENDING') sometimes('late card result fenced');
    if (charge !== locked) await saveCharge(tx, charge);
    if (charge.sequence !== locked.sequence) await announcePaid(tx, charge);
    if (alarm) await raiseAlarm(tx, cardAlarm(charge, alarm, now));
    if (charge.status !== 'PENDING') await keep?.(tx, endOf(charge));
    return charge;
  });
}

/**
 * The same for a caller who waits for the payment. Refuses with CARD_DECLINED, or with PROVIDER_UNAVAILABLE while
 * nothing is decided.
 */
export async function collectCard(
  parts: SettleCard,
  { id, merchantId }: Charge,
  { news, keep }: Pick<Found, 'news' | 'keep'>,
): Promise<Charge> {
  const caller = news?.state === 'declined' ? null : await parts.merchants.find(merchantId);
  const charge = await settleCard(parts, id, { news, caller, keep });
  if (charge.card.isVoiding) throw undecided('the payment is being given back');
  if (charge.status === 'PENDING') throw undecided('the acquirer has not decided yet');
  const end = endOf(charge);
  if (end instanceof Refusal) throw end;
  return end;
}

function endOf(charge: CardCharge): Charge | Refusal {
  return charge.status === 'DECLINED' ? declined(charge.card.declineReason) : charge;
}

/** Of the payment of a card charge. */
export function cardAlarm(
  { id, merchantId, environment }: Charge,
  { kind, amount }: Pick<NewAlarm, 'kind' | 'amount'>,
  at: Date,
): NewAlarm {
  return { subject: 'card', subjectId: id, chargeId: id, merchantId, environment, kind, amount, at };
}
