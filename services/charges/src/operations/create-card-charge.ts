import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import type { Keep, Remembering } from '@plataforma/http';
import { later, Refusal, type Tenant } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime, type Stops } from '@plataforma/service';
import { type Claimed, claimedOf } from '@plataforma/work';
import type { AcquirerClient, Acquirers, CardOrder } from '../cards/acquirer-client.ts';
import { demandCardAllowed, demandInTime, tokenHashOf, undecided } from '../domain/card.ts';
import { type CardOutcome, type DecidedOutcome, USELESS_TOKEN } from '../domain/card-outcome.ts';
import type { Charge } from '../domain/charge.ts';
import { subjectOf } from '../domain/held.ts';
import {
  AHEAD_OF_SCHEDULE_MS,
  type CardOrderFields,
  demandSameAttempt,
  newCardCharge,
} from '../domain/new-card-charge.ts';
import { type CreatedCharge, feeOf } from '../domain/new-charge.ts';
import { demandDocument } from '../domain/payer.ts';
import { failPoint } from '../fail-points.ts';
import { findDeclinedAttempt, isOfToken } from '../store/card-attempts.ts';
import { cardEndOf, type RecordCardOutcome, recordCardOutcome } from '../store/card-outcomes.ts';
import { chargeOf } from '../store/charge-rows.ts';
import { findAnyCharge, findChargeByExternalId } from '../store/charges.ts';
import { dueCharges, lookAgainAt } from '../store/due-charges.ts';
import { insertCharge, insertKeyedCharge } from '../store/new-charges.ts';

export interface CreateCardCharge extends RecordCardOutcome {
  database: Database;
  merchants: MerchantDirectory;
  acquirers: Acquirers;
  stops: Stops;
  /** How long the acquirer may take for an answer; a second caller with the same order waits with the first. */
  cardPatienceMs: number;
}

const WAIT_STEP_MS = 100;
/** After an answer that was lost, the acquirer is asked this much later. */
const ASK_AFTER_MS = 2_000;
interface Wanted {
  tenant: Tenant;
  order: CardOrderFields;
}

/**
 * Stores the charge, charges the card once, and returns the outcome. A lost answer leaves the charge undecided. The
 * same request asks the acquirer by our id, resumes, and returns the outcome, even a decline that the schedule found:
 * one order with one token is one attempt.
 */
export async function createCardCharge(
  parts: CreateCardCharge,
  wanted: Wanted,
  remembering: Remembering<CreatedCharge>,
): Promise<CreatedCharge> {
  const { environment } = wanted.tenant;
  demandDocument(wanted.order.payerDocument, environment);
  const begun = remembering.begunId && (await findAnyCharge(parts.database, remembering.begunId));
  if (!begun) return createOrJoin(parts, wanted, remembering);
  const acquirer = parts.acquirers(wanted.tenant);
  const order = (await isAttempt(parts, begun, wanted.order)) ? wanted.order : null;
  const means = { acquirer, order, keep: keepAs(remembering, true) };
  return { charge: await decided(parts, begun, means), isNew: true };
}

/** For another card, or other terms, the attempt is only looked up. */
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
  remembering: Remembering<CreatedCharge>,
): Promise<CreatedCharge> {
  const { database, clock, cardPatienceMs } = parts;
  const merchant = await parts.merchants.find(tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.cardFeeBps, feeFixed: merchant.cardFeeFixed });
  const now = await merchantTime(database, clock, tenant);
  const leaseUntil = later(clock(), cardPatienceMs);
  const planned = newCardCharge(order, tenant, { fee, now, leaseUntil });
  const tokenHash = tokenHashOf(order.cardToken);
  const known = await findAttempt(database, planned, tokenHash);
  if (!known) demandCardAllowed(merchant, planned.environment, order.installments);
  const acquirer = parts.acquirers(tenant);
  const stored = { charge: planned, cardTokenHash: tokenHash, merchantVersion: null };
  const insert = () =>
    remembering.isKeyed
      ? database.transaction((tx) => insertKeyedCharge(tx, stored, remembering))
      : insertCharge(database, stored);
  if (!known && (await insert())) {
    failPoint('card.stored');
    const means = { acquirer, order, keep: keepAs(remembering, true) };
    return { charge: await pay(parts, claimedOf(planned, clock), { ...means, isFirst: true }), isNew: true };
  }
  const first = known ?? (await findAttempt(database, planned, tokenHash));
  if (!first) {
    await parts.stops.demand(subjectOf('charges', planned));
    // The charge with this number ended just now, without this token: the request may start anew.
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

function keepAs({ keep }: Remembering<CreatedCharge>, isNew: boolean): Keep<Charge> {
  return (tx, outcome) => keep(tx, outcome instanceof Refusal ? outcome : { charge: outcome, isNew });
}

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
    return await collect(parts, charge, outcome, means.keep);
  } catch (error) {
    if (means.isFirst && error instanceof Refusal && error.kind === 'invalid') {
      const outcome = { state: 'none', reason: USELESS_TOKEN } as const;
      const keep: Keep<Charge> = (tx, end) => means.keep(tx, end instanceof Refusal ? error : end);
      const found = { outcome, lease, caller: null, keep };
      await parts.database.transaction((tx) => recordCardOutcome(tx, parts, charge.id, found));
    } else {
      await lookAgainAt(parts.database, claimed, new Date(parts.clock().getTime() + ASK_AFTER_MS));
    }
    throw error;
  }
}

/**
 * Records the outcome for a caller who waits for the payment. Throws CARD_DECLINED, or PROVIDER_UNAVAILABLE while
 * nothing is decided.
 */
async function collect(
  parts: CreateCardCharge,
  { id, merchantId }: Charge,
  outcome: DecidedOutcome | null,
  keep: Keep<Charge>,
): Promise<Charge> {
  const caller = outcome?.state === 'declined' ? null : await parts.merchants.find(merchantId);
  const charge = await parts.database.transaction((tx) =>
    recordCardOutcome(tx, parts, id, { outcome, caller, keep }),
  );
  if (charge.card.isVoiding) throw undecided('the payment is being given back');
  if (charge.status === 'PENDING') throw undecided('the acquirer has not decided yet');
  const end = cardEndOf(charge);
  if (end instanceof Refusal) throw end;
  return end;
}

async function order(
  { clock, stops }: CreateCardCharge,
  { item: charge, lease }: Claimed<Charge>,
  means: Means,
): Promise<CardOutcome> {
  const { acquirer, order: fields } = means;
  if (!fields) throw undecided('the acquirer does not know of the payment before');
  const check = () => {
    demandInTime(charge, clock());
    lease.check();
  };
  const gate = stops.gate(subjectOf('charges', charge), { check });
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

/** Returns the outcome of an earlier order: waits while another process works on it, and resumes when none does. */
async function decided(parts: CreateCardCharge, first: Charge, means: Means): Promise<Charge> {
  const deadline = performance.now() + parts.cardPatienceMs;
  while (performance.now() < deadline) {
    const charge = await findAnyCharge(parts.database, first.id);
    if (!charge?.card) throw new Error('a card charge vanished');
    // Approved while no caller waited for it, or decided already: there is nothing to ask.
    if (charge.status !== 'PENDING' || charge.card.acquirerId) {
      return collect(parts, charge, null, means.keep);
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
  if (dueAt.getTime() > now.getTime() + AHEAD_OF_SCHEDULE_MS) return null;
  const row = await dueCharges.claimOne(database, { id, now, leaseMs });
  return row && claimedOf(chargeOf(row), clock);
}
