import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  failPoint,
  type Keep,
  type Log,
  type MerchantDirectory,
  type Remembering,
} from '@plataforma/chassis';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import type { AcquirerClient, CardOrder, CardOutcome } from '../cards/acquirer-client.ts';
import type { Acquirers } from '../cards/acquirers.ts';
import { demandCardAllowed, demandInTime, tokenHashOf, undecided, uselessToken } from '../domain/card.ts';
import { type Charge, demandSameOrder, feeOf, isSameOrder } from '../domain/charge.ts';
import { newCharge, type Order } from '../domain/new-charge.ts';
import { demandDocument } from '../domain/payer.ts';
import { findDeclinedAttempt } from '../store/card-attempts.ts';
import { claimCharge, findAnyCharge, findChargeByExternalId, lookAgainAt } from '../store/charges.ts';
import { collectCard, declineCard } from './settle-card.ts';
import { type Created, writeDown } from './write-down.ts';

interface CardOrderFields extends Order {
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

interface Wanted {
  tenant: Tenant;
  order: CardOrderFields;
}

/**
 * Writes the charge down, charges the card once, and answers what became of it. An answer that was lost leaves the
 * charge undecided; the same order sent again asks the acquirer by our id, goes on where the first one stopped, and
 * tells the truth, also when the clock has heard of a decline meanwhile: one order with one token is one attempt.
 */
export async function createCardCharge(
  parts: CreateCardCharge,
  wanted: Wanted,
  remembering: Remembering<Created>,
): Promise<Created> {
  const { environment } = wanted.tenant;
  demandDocument(wanted.order.payerDocument, environment);
  const begun = remembering.begunId && (await findAnyCharge(parts.database, remembering.begunId));
  if (!begun) return createOrJoin(parts, wanted, remembering);
  const acquirer = parts.acquirers(environment);
  const means = { acquirer, order: wanted.order, keep: keepAs(remembering, true) };
  return { charge: await decided(parts, begun, means), isNew: true };
}

async function createOrJoin(
  parts: CreateCardCharge,
  { tenant, order }: Wanted,
  remembering: Remembering<Created>,
): Promise<Created> {
  const { database, clock, cardPatienceMs } = parts;
  const merchant = await parts.merchants.find(tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.cardFeeBps, feeFixed: merchant.cardFeeFixed });
  const planned = planOf(order, { tenant, fee, now: clock() });

  const tokenHash = tokenHashOf(order.cardToken);
  const known = await findAttempt(database, planned, tokenHash);
  if (!known) demandCardAllowed(merchant, order.installments);
  const acquirer = parts.acquirers(tenant.environment);
  const nextCheckAt = new Date(planned.createdAt.getTime() + cardPatienceMs);
  if (!known && (await writeDown(database, { planned, nextCheckAt, tokenHash }, remembering))) {
    failPoint('card.stored');
    const means = { acquirer, order, keep: keepAs(remembering, true) };
    return { charge: await payOnce(parts, planned, means), isNew: true };
  }
  const first = known ?? (await findAttempt(database, planned, tokenHash));
  // What had the number ended within this very moment, and without this token: the caller may as well have come later.
  if (!first) return createOrJoin(parts, { tenant, order }, remembering);
  demandSameAttempt(first, planned);
  const means = { acquirer, order, keep: keepAs(remembering, false) };
  return { charge: await decided(parts, first, means), isNew: false };
}

/** The charge that has the externalId; else the attempt with this token that was declined. */
async function findAttempt(database: Database, planned: Charge, tokenHash: Buffer): Promise<Charge | null> {
  const live = await findChargeByExternalId(database, planned, planned.externalId);
  return live ?? findDeclinedAttempt(database, planned, tokenHash);
}

/** A decline left the externalId free for another order, but not with the token that served for it. */
function demandSameAttempt(first: Charge, planned: Charge): void {
  if (first.status === 'DECLINED' && !isSameOrder(first, planned)) throw uselessToken();
  demandSameOrder(first, planned);
}

function keepAs({ keep }: Remembering<Created>, isNew: boolean): Keep<Charge> {
  return (tx, outcome) => keep(tx, outcome instanceof Refusal ? outcome : { charge: outcome, isNew });
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

/** What it takes to charge the card, and to remember what became of it. */
interface Means {
  acquirer: AcquirerClient;
  order: CardOrderFields;
  keep: Keep<Charge>;
}

async function payOnce(parts: CreateCardCharge, charge: Charge, means: Means): Promise<Charge> {
  try {
    return await collectCard(parts, charge, { outcome: await pay(parts, charge, means), keep: means.keep });
  } catch (error) {
    const isTokenUseless = error instanceof Refusal && error.kind === 'invalid';
    if (isTokenUseless) {
      const reason = 'invalid_card_token';
      await declineCard(parts, charge.id, { reason, keep: (tx) => means.keep(tx, error) });
    } else await askSoon(parts, charge);
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
    return await collectCard(parts, charge, { outcome, keep: means.keep });
  } catch (error) {
    await askSoon(parts, charge);
    throw error;
  }
}

async function pay(
  parts: CreateCardCharge,
  charge: Charge,
  { acquirer, order }: Means,
): Promise<CardOutcome> {
  demandInTime(charge, parts.clock());
  const outcome = await acquirer.pay(cardOrderOf(charge, order));
  failPoint('card.answered');
  return outcome;
}

async function askSoon({ database, clock }: CreateCardCharge, { id }: Charge): Promise<void> {
  await lookAgainAt(database, id, new Date(clock().getTime() + ASK_AFTER_MS));
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
  const deadline = performance.now() + cardPatienceMs;
  while (performance.now() < deadline) {
    const charge = await demandNotVoiding(database, first.id);
    // Approved while nobody waited for it, or decided already: there is nothing to ask.
    if (charge.status !== 'PENDING' || charge.card?.acquirerId)
      return collectCard(parts, charge, { outcome: null, keep: means.keep });
    const now = new Date(clock().getTime() + BEFORE_THE_CLOCK_MS);
    if (await claimCharge(database, charge.id, { now, leaseMs: cardPatienceMs })) {
      return goOn(parts, charge, means);
    }
    await sleep(WAIT_STEP_MS);
  }
  throw undecided('the acquirer has not decided yet');
}

/** Refuses a charge whose payment is being given back. */
async function demandNotVoiding(database: Database, id: string): Promise<Charge> {
  const charge = await findAnyCharge(database, id);
  if (!charge?.card) throw new Error('a card charge vanished');
  if (charge.card.isVoiding) throw undecided('the payment is being given back');
  return charge;
}
