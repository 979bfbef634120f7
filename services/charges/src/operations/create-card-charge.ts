import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import type { Keep, Remembering } from '@plataforma/http';
import { type Clock, later, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type MerchantDirectory, merchantTime, type Stops } from '@plataforma/service';
import { type Claimed, claimedOf } from '@plataforma/work';
import type { AcquirerClient, CardOrder } from '../cards/acquirer-client.ts';
import type { Acquirers } from '../cards/acquirers.ts';
import { demandCardAllowed, demandInTime, tokenHashOf, undecided, uselessToken } from '../domain/card.ts';
import { type CardOutcome, USELESS_TOKEN } from '../domain/card-news.ts';
import type { Charge } from '../domain/charge.ts';
import { subjectOf } from '../domain/held.ts';
import { demandSameOrder, differencesOf, feeOf, newCharge, type Order } from '../domain/new-charge.ts';
import { demandDocument } from '../domain/payer.ts';
import { failPoint } from '../fail-points.ts';
import { collectCard, settleCard } from '../steps/settle-card.ts';
import { type Created, writeDown } from '../steps/write-down.ts';
import { findDeclinedAttempt, isOfToken } from '../store/card-attempts.ts';
import { chargeOf } from '../store/charge-rows.ts';
import { findAnyCharge, findChargeByExternalId } from '../store/charges.ts';
import { dueCharges, lookAgainAt } from '../store/due-charges.ts';

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
  stops: Stops;
  clock: Clock;
  log: Log;
  /** How long the acquirer may take for an answer; a second caller with the same order waits with the first. */
  cardPatienceMs: number;
  cardHorizonMs: number;
}

const WAIT_STEP_MS = 100;
/** After an answer that was lost, the acquirer is asked this much later. */
const ASK_AFTER_MS = 2_000;
/** A caller who waits for an answer comes so much earlier than the clock, which would only rest after asking. */
const BEFORE_THE_CLOCK_MS = 1_000;

interface Wanted {
  tenant: Tenant;
  order: CardOrderFields;
}

/**
 * Writes the charge down, charges the card once, and answers what became of it. An answer that was lost leaves the
 * charge undecided; the same order sent again asks the acquirer by our id, resumes where the first one stopped, and
 * answers what became of it, also when the clock has found a decline since: one order with one token is one attempt.
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
  const acquirer = parts.acquirers(wanted.tenant);
  const order = (await isAttempt(parts, begun, wanted.order)) ? wanted.order : null;
  const means = { acquirer, order, keep: keepAs(remembering, true) };
  return { charge: await decided(parts, begun, means), isNew: true };
}

/** Of another card, or of other terms, it is only asked what became of the attempt. */
async function isAttempt(
  { database }: CreateCardCharge,
  begun: Charge,
  order: CardOrderFields,
): Promise<boolean> {
  const { payerName, payerDocument, card } = begun;
  const isSame = order.payerName === payerName && order.payerDocument === payerDocument;
  if (!isSame || order.installments !== card?.installments) return false;
  return isOfToken(database, begun.id, tokenHashOf(order.cardToken));
}

async function createOrJoin(
  parts: CreateCardCharge,
  { tenant, order }: Wanted,
  remembering: Remembering<Created>,
): Promise<Created> {
  const { database, clock, cardPatienceMs } = parts;
  const merchant = await parts.merchants.find(tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.cardFeeBps, feeFixed: merchant.cardFeeFixed });
  const now = await merchantTime(database, clock, tenant);
  const leaseUntil = later(clock(), cardPatienceMs);
  const planned = planOf(order, { tenant, fee, now, leaseUntil });
  const tokenHash = tokenHashOf(order.cardToken);
  const known = await findAttempt(database, planned, tokenHash);
  if (!known) demandCardAllowed(merchant, planned.environment, order.installments);
  const acquirer = parts.acquirers(tenant);
  const stored = { charge: planned, cardTokenHash: tokenHash, merchantVersion: null };
  if (!known && (await writeDown(database, stored, remembering))) {
    failPoint('card.stored');
    const means = { acquirer, order, keep: keepAs(remembering, true) };
    return { charge: await pay(parts, claimedOf(planned, clock), { ...means, isFirst: true }), isNew: true };
  }
  const first = known ?? (await findAttempt(database, planned, tokenHash));
  if (!first) {
    await parts.stops.demand(subjectOf('charges', planned));
    // What had the number ended within this very moment, and without this token: the caller may as well have come later.
    return createOrJoin(parts, { tenant, order }, remembering);
  }
  demandSameAttempt(first, planned);
  const means = { acquirer, order, keep: keepAs(remembering, false) };
  return { charge: await decided(parts, first, means), isNew: false };
}

/** The charge that has the externalId; else the attempt with this token that was declined. */
async function findAttempt(database: Database, planned: Charge, tokenHash: Buffer): Promise<Charge | null> {
  const live = await findChargeByExternalId(database, planned);
  return live ?? findDeclinedAttempt(database, planned, tokenHash);
}

/** A decline left the externalId free for another order, but not with the token that served for it. */
function demandSameAttempt(first: Charge, planned: Charge): void {
  if (first.status === 'DECLINED' && differencesOf(first, planned).length > 0) throw uselessToken();
  demandSameOrder(first, planned);
}

function keepAs({ keep }: Remembering<Created>, isNew: boolean): Keep<Charge> {
  return (tx, outcome) => keep(tx, outcome instanceof Refusal ? outcome : { charge: outcome, isNew });
}

interface Terms {
  tenant: Tenant;
  fee: number;
  /** The merchant's time; a lease is of the real one. */
  now: Date;
  leaseUntil: Date;
}

/** It is born under the lease of its caller, whom the clock gives the time to come back. */
function planOf(order: CardOrderFields, { leaseUntil, ...about }: Terms): Charge {
  const { installments } = order;
  const names = { acquirerId: null, brand: null, lastDigits: null, nsu: null, authorizationCode: null };
  const card = { installments, ...names, declineReason: null, isVoiding: false, isWatched: false };
  const dueAt = new Date(leaseUntil.getTime() + BEFORE_THE_CLOCK_MS);
  const lease = { leaseToken: newId(), leaseUntil, dueAt };
  return { ...newCharge(order, { ...about, paymentMethod: 'CARD' }), card, ...lease };
}

/** What it takes to charge the card, and to remember what became of it. */
interface Means {
  acquirer: AcquirerClient;
  /** Null: nothing is ordered. */
  order: CardOrderFields | null;
  keep: Keep<Charge>;
}

/**
 * Charges the card. After an earlier order the acquirer is asked first, and gets what it does not know once more, under
 * the same id. A token it refuses then may have served the earlier order, which may still be on its way.
 */
async function pay(
  parts: CreateCardCharge,
  claimed: Claimed<Charge>,
  means: Means & { isFirst: boolean },
): Promise<Charge> {
  const { item: charge, lease } = claimed;
  try {
    const known = means.isFirst ? null : await means.acquirer.find(charge.id);
    const outcome = known ?? (await order(parts, claimed, means));
    if (outcome.state === 'processing') throw undecided('the acquirer has not decided yet');
    return await collectCard(parts, charge, { news: outcome, keep: means.keep });
  } catch (error) {
    if (means.isFirst && error instanceof Refusal && error.kind === 'invalid') {
      const news = { state: 'none', reason: USELESS_TOKEN } as const;
      const keep: Keep<Charge> = (tx, end) => means.keep(tx, end instanceof Refusal ? error : end);
      await settleCard(parts, charge.id, { news, lease, caller: null, keep });
    } else {
      await lookAgainAt(parts.database, claimed, new Date(parts.clock().getTime() + ASK_AFTER_MS));
    }
    throw error;
  }
}

async function order(
  { clock, stops }: CreateCardCharge,
  { item: charge, lease }: Claimed<Charge>,
  means: Means,
): Promise<CardOutcome> {
  const { acquirer, order: fields } = means;
  if (!fields) throw undecided('the acquirer does not know of the payment before');
  const demand = () => {
    demandInTime(charge, clock());
    lease.demand();
  };
  const gate = stops.gate(subjectOf('charges', charge), { demand });
  const outcome = await acquirer.pay(cardOrderOf(charge, fields), gate);
  failPoint('card.answered');
  return outcome;
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

/** What became of an order that was sent before: waits while another process is at it, and goes on when none is. */
async function decided(parts: CreateCardCharge, first: Charge, means: Means): Promise<Charge> {
  const deadline = performance.now() + parts.cardPatienceMs;
  while (performance.now() < deadline) {
    const charge = await findAnyCharge(parts.database, first.id);
    if (!charge?.card) throw new Error('a card charge vanished');
    // Approved while no caller waited for it, or decided already: there is nothing to ask.
    if (charge.status !== 'PENDING' || charge.card.acquirerId) {
      return collectCard(parts, charge, { news: null, keep: means.keep });
    }
    const claimed = await claimSoonDue(parts, charge);
    if (claimed) return pay(parts, claimed, { ...means, isFirst: false });
    await sleep(WAIT_STEP_MS);
  }
  throw undecided('the acquirer has not decided yet');
}

/** Null: another process is at it, or it rests after one was. */
async function claimSoonDue(
  { database, clock, cardPatienceMs: leaseMs }: CreateCardCharge,
  { id, dueAt }: Charge,
): Promise<Claimed<Charge> | null> {
  const now = clock();
  if (dueAt.getTime() > now.getTime() + BEFORE_THE_CLOCK_MS) return null;
  const row = await dueCharges.claimOne(database, { id, now, leaseMs });
  return row && claimedOf(chargeOf(row), clock);
}
