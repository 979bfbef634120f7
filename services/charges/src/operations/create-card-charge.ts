import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Log, MerchantDirectory } from '@plataforma/chassis';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import type { AcquirerClient, CardOrder, CardOutcome } from '../cards/acquirer-client.ts';
import type { Acquirers } from '../cards/acquirers.ts';
import { declined, demandCardAllowed, demandInTime, undecided } from '../domain/card.ts';
import { type Charge, demandSameOrder, feeOf } from '../domain/charge.ts';
import { newCharge, type Order } from '../domain/new-charge.ts';
import { demandDocument } from '../domain/payer.ts';
import {
  claimCharge,
  findAnyCharge,
  findChargeByExternalId,
  insertCharge,
  lookAgainAt,
  watchAttempt,
} from '../store/charges.ts';
import { collectCard, declineCard } from './settle-card.ts';

export interface CardOrderFields extends Order {
  cardToken: string;
  installments: number;
  statementDescriptor?: string | undefined;
  payerPhone?: string | undefined;
}

export interface CreateCardCharge {
  database: Database;
  merchants: MerchantDirectory;
  acquirers: Acquirers;
  clock: Clock;
  log: Log;
  /** How long the acquirer may take for an answer; whoever asks for the same order meanwhile waits with the first. */
  cardPatienceMs: number;
}

const WAIT_STEP_MS = 100;
/** After an answer that was lost, the acquirer is asked this much later. */
const ASK_AFTER_MS = 2_000;
/** Whoever waits for an answer comes so much earlier than the clock, which would only rest after asking. */
const BEFORE_THE_CLOCK_MS = 1_000;

/**
 * Writes the charge down, charges the card once, and answers what became of it. An answer that was lost leaves the
 * charge undecided; the same order sent again asks the acquirer by our id, goes on where the first one stopped, and
 * tells the truth.
 */
export async function createCardCharge(
  parts: CreateCardCharge,
  tenant: Tenant,
  order: CardOrderFields,
): Promise<{ charge: Charge; isNew: boolean }> {
  const { database, clock, cardPatienceMs } = parts;
  demandDocument(order.payerDocument, tenant.environment);
  const merchant = await parts.merchants.find(tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.cardFeeBps, feeFixed: merchant.cardFeeFixed });
  const planned = planOf(order, { tenant, fee, now: clock() });

  const known = await findChargeByExternalId(database, tenant, order.externalId);
  if (!known) demandCardAllowed(merchant, order.installments);
  const acquirer = parts.acquirers(tenant.environment);
  const nextCheckAt = new Date(planned.createdAt.getTime() + cardPatienceMs);
  if (!known && (await insertCharge(database, planned, nextCheckAt))) {
    return { charge: await payOnce(parts, planned, { acquirer, order }), isNew: true };
  }
  const first = known ?? (await findChargeByExternalId(database, tenant, order.externalId));
  // Declined within this very moment: the number is free again, and the caller may as well have come later.
  if (!first) return createCardCharge(parts, tenant, order);
  demandSameOrder(first, planned);
  return { charge: await decided(parts, first, { acquirer, order }), isNew: false };
}

function planOf(order: CardOrderFields, about: { tenant: Tenant; fee: number; now: Date }): Charge {
  const { installments } = order;
  const card = {
    installments,
    acquirerId: null,
    brand: null,
    lastDigits: null,
    declineReason: null,
    isVoiding: false,
  };
  return { ...newCharge(order, { ...about, paymentMethod: 'CARD' }), card };
}

/** What it takes to charge the card. */
interface Means {
  acquirer: AcquirerClient;
  order: CardOrderFields;
}

async function payOnce(parts: CreateCardCharge, charge: Charge, means: Means): Promise<Charge> {
  try {
    return await collect(parts, charge, await pay(parts, charge, means));
  } catch (error) {
    const isTokenUseless = error instanceof Refusal && error.kind === 'invalid';
    if (isTokenUseless) await declineCard(parts, charge.id, 'invalid_card_token');
    else await askSoon(parts, charge);
    throw error;
  }
}

/**
 * Asks what became of it; what the acquirer never heard of is sent once more, under the same id. A token it refuses
 * now may have served the try before, which may still be on its way: the charge stays undecided.
 */
async function goOn(parts: CreateCardCharge, charge: Charge, means: Means): Promise<Charge> {
  try {
    const outcome = (await means.acquirer.find(charge.id)) ?? (await pay(parts, charge, means));
    return await collect(parts, charge, outcome);
  } catch (error) {
    await askSoon(parts, charge);
    throw error;
  }
}

function pay(parts: CreateCardCharge, charge: Charge, { acquirer, order }: Means): Promise<CardOutcome> {
  demandInTime(charge, parts.clock());
  return acquirer.pay(cardOrderOf(charge, order));
}

async function askSoon({ database, clock }: CreateCardCharge, { id }: Charge): Promise<void> {
  await lookAgainAt(database, id, new Date(clock().getTime() + ASK_AFTER_MS));
}

/** An approval that comes for an attempt that has ended: the clock gives it back. */
async function collect(parts: CreateCardCharge, charge: Charge, outcome: CardOutcome): Promise<Charge> {
  try {
    return await collectCard(parts, charge, outcome);
  } catch (error) {
    const hasEnded = error instanceof Refusal && error.kind === 'declined';
    if (hasEnded && outcome.state === 'approved')
      await watchAttempt(parts.database, charge.id, parts.clock());
    throw error;
  }
}

function cardOrderOf(charge: Charge, order: CardOrderFields): CardOrder {
  return {
    id: charge.id,
    amount: charge.amount,
    installments: charge.card?.installments ?? order.installments,
    cardToken: order.cardToken,
    payerName: charge.payerName,
    payerDocument: charge.payerDocument,
    payerEmail: charge.payerEmail,
    payerPhone: order.payerPhone ?? null,
    statementDescriptor: order.statementDescriptor ?? null,
    description: charge.description,
  };
}

/** What became of an order that was sent before: waits while somebody is at it, and goes on when nobody is. */
async function decided(parts: CreateCardCharge, first: Charge, means: Means): Promise<Charge> {
  const { database, clock, cardPatienceMs } = parts;
  const deadline = Date.now() + cardPatienceMs;
  while (Date.now() < deadline) {
    const charge = await demandUndecided(database, first.id);
    // Approved while nobody waited for it, or decided already: there is nothing to ask.
    if (charge.status !== 'PENDING' || charge.card?.acquirerId) return collectCard(parts, charge, null);
    const now = new Date(clock().getTime() + BEFORE_THE_CLOCK_MS);
    if (await claimCharge(database, charge.id, { now, leaseMs: cardPatienceMs })) {
      return goOn(parts, charge, means);
    }
    await sleep(WAIT_STEP_MS);
  }
  throw undecided('the acquirer has not decided yet');
}

/** Refuses a charge that was declined, or whose payment is being given back. */
async function demandUndecided(database: Database, id: string): Promise<Charge> {
  const charge = await findAnyCharge(database, id);
  if (!charge?.card) throw new Error('a card charge vanished');
  if (charge.status === 'DECLINED') throw declined(charge.card.declineReason);
  if (charge.card.isVoiding) throw undecided('the payment is being given back');
  return charge;
}
