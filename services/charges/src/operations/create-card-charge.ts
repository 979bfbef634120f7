import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import type { IdempotencyRecord, SaveResponse } from '@plataforma/http';
import { later, Refusal, type Tenant } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime, type Stops } from '@plataforma/service';
import { type Claimed, claimedOf } from '@plataforma/work';
import type { AcquirerClient, Acquirers } from '../cards/acquirer-client.ts';
import { requireCardAllowed, requireInTime, tokenHashOf, undecided } from '../domain/card.ts';
import { type CardOutcome, type DecidedOutcome, USELESS_TOKEN } from '../domain/card-outcome.ts';
import type { Charge } from '../domain/charge.ts';
import {
  AHEAD_OF_SCHEDULE_MS,
  type CardOrderFields,
  newCardCharge,
  requireSameAttempt,
} from '../domain/new-card-charge.ts';
import { type CreatedCharge, feeOf } from '../domain/new-charge.ts';
import { requireDocument } from '../domain/payer.ts';
import { subjectOf } from '../domain/stop-subject.ts';
import { failPoint } from '../fail-points.ts';
import { findDeclinedAttempt, isOfToken } from '../store/card-attempts.ts';
import { cardEndOf, type RecordCardOutcome, recordCardOutcome } from '../store/card-outcomes.ts';
import { chargeOf, requireSeal, withSeal } from '../store/charge-rows.ts';
import { findAnyCharge, findChargeByExternalId } from '../store/charges.ts';
import { checkAgainAt, dueCharges } from '../store/due-charges.ts';
import { storeCharge } from '../store/new-charges.ts';

interface CreateCardCharge extends RecordCardOutcome {
  database: Database;
  merchants: MerchantDirectory;
  acquirers: Acquirers;
  stops: Stops;
  /**
   * The longest time that a request waits for the acquirer's answer. A second request for the same order
   * waits for the same answer.
   */
  cardMaxWaitMs: number;
}

interface CardChargeCommand {
  tenant: Tenant;
  order: CardOrderFields;
}

interface Attempt extends CreateCardCharge {
  acquirer: AcquirerClient;
  /**
   * The card and other fields for an order. Null when they differ from the stored charge; the request then
   * only reads the outcome.
   */
  order: CardOrderFields | null;
  saveResponse: SaveResponse<Charge>;
}

const WAIT_STEP_MS = 100;
/** The delay before the scheduler asks the acquirer about an order whose answer was lost. */
const ASK_AFTER_MS = 2_000;

/**
 * Stores the charge, charges the card once and returns the outcome. If the answer was lost, a repeated
 * request asks the acquirer for the outcome and resumes. If the scheduler has found a decline, the repeated
 * request returns this decline, because a token allows only one attempt.
 */
export async function createCardCharge(
  dependencies: CreateCardCharge,
  command: CardChargeCommand,
  idempotency: IdempotencyRecord<CreatedCharge>,
): Promise<CreatedCharge> {
  const { tenant, order } = command;
  requireDocument(order.payerDocument, tenant.environment);
  const begun = idempotency.begunId && (await findAnyCharge(dependencies.database, idempotency.begunId));
  if (!begun) return createOrJoin(dependencies, command, idempotency);
  const acquirer = dependencies.acquirers(tenant);
  const isSame = await isOrderOf(dependencies.database, begun, order);
  const attempt = {
    ...dependencies,
    acquirer,
    order: isSame ? order : null,
    saveResponse: saveResponseAs(idempotency, true),
  };
  return { charge: await decided(attempt, begun), isNew: true };
}

async function isOrderOf(database: Database, charge: Charge, order: CardOrderFields): Promise<boolean> {
  const { id, payerName, payerDocument, card } = charge;
  if (order.payerName !== payerName || order.payerDocument !== payerDocument) return false;
  return order.installments === card?.installments && isOfToken(database, id, tokenHashOf(order.cardToken));
}

async function createOrJoin(
  dependencies: CreateCardCharge,
  { tenant, order }: CardChargeCommand,
  idempotency: IdempotencyRecord<CreatedCharge>,
): Promise<CreatedCharge> {
  const { database, clock } = dependencies;
  const merchant = await dependencies.merchants.get(tenant.merchantId);
  const made = newCardCharge(order, tenant, {
    fee: feeOf(order.amount, { feeBps: merchant.cardFeeBps, feeFixed: merchant.cardFeeFixed }),
    now: await merchantTime(database, clock, tenant),
    leaseUntil: later(clock(), dependencies.cardMaxWaitMs),
  });
  const planned = withSeal(database, made);
  const cardTokenHash = tokenHashOf(order.cardToken);
  /** Returns the charge with the externalId. If none exists, returns the declined attempt with this token. */
  const find = async () =>
    (await findChargeByExternalId(database, planned)) ??
    (await findDeclinedAttempt(database, planned, cardTokenHash));
  const stored = { charge: planned, cardTokenHash, merchantVersion: null };
  const existing = await find();
  if (!existing) requireCardAllowed(merchant, tenant.environment, order.installments);
  const attempt = { ...dependencies, acquirer: dependencies.acquirers(tenant), order };
  if (!existing && (await storeCharge(database, stored, idempotency))) {
    failPoint('card.stored');
    const own = { ...attempt, saveResponse: saveResponseAs(idempotency, true) };
    return { charge: await pay(own, claimedOf(planned, clock), { isFirst: true }), isNew: true };
  }
  const first = existing ?? (await find());
  if (!first) {
    await dependencies.stops.requireNotStopped(subjectOf('charges', planned));
    // The charge that had this externalId, with a different token, has just ended, so the externalId is free
    // again. Try again to store the order.
    return createOrJoin(dependencies, { tenant, order }, idempotency);
  }
  requireSameAttempt(first, planned);
  return {
    charge: await decided({ ...attempt, saveResponse: saveResponseAs(idempotency, false) }, first),
    isNew: false,
  };
}

function saveResponseAs(
  { saveResponse }: IdempotencyRecord<CreatedCharge>,
  isNew: boolean,
): SaveResponse<Charge> {
  return (tx, outcome) => saveResponse(tx, outcome instanceof Refusal ? outcome : { charge: outcome, isNew });
}

/**
 * Charges the card. After an earlier order, first asks the acquirer for the outcome, and orders again if the
 * acquirer knows no order. The acquirer may refuse the second order if the first order used up the token.
 */
async function pay(
  attempt: Attempt,
  claimed: Claimed<Charge>,
  { isFirst }: { isFirst: boolean },
): Promise<Charge> {
  const { database, clock, acquirer, saveResponse } = attempt;
  const { item: charge, lease } = claimed;
  try {
    const ordered = isFirst ? null : await acquirer.find(charge.id);
    const outcome = ordered ?? (await order(attempt, claimed));
    if (outcome.state === 'processing') throw undecided('the acquirer has not decided yet');
    return await collect(attempt, charge, outcome);
  } catch (error) {
    if (isFirst && error instanceof Refusal && error.kind === 'invalid') {
      const outcome = { state: 'none', reason: USELESS_TOKEN } as const;
      const saveError: SaveResponse<Charge> = (tx, end) =>
        saveResponse(tx, end instanceof Refusal ? error : end);
      const found = { outcome, lease, caller: null, saveResponse: saveError };
      await database.transaction((tx) => recordCardOutcome(tx, attempt, charge.id, found));
    } else await checkAgainAt(database, claimed, later(clock(), ASK_AFTER_MS));
    throw error;
  }
}

/**
 * Records the outcome for a caller that waits for the payment. Throws CARD_DECLINED for a declined payment,
 * and PROVIDER_UNAVAILABLE while the outcome is undecided or the payment is being returned.
 */
async function collect(
  attempt: Attempt,
  { id, merchantId }: Charge,
  outcome: DecidedOutcome | null,
): Promise<Charge> {
  const { database, merchants, saveResponse } = attempt;
  const caller = outcome?.state === 'declined' ? null : await merchants.get(merchantId);
  const charge = await database.transaction((tx) =>
    recordCardOutcome(tx, attempt, id, { outcome, caller, saveResponse }),
  );
  if (charge.card.isVoiding) throw undecided('the payment is being returned');
  if (charge.status === 'PENDING') throw undecided('the acquirer has not decided yet');
  const end = cardEndOf(charge);
  if (end instanceof Refusal) throw end;
  return end;
}

async function order(
  { clock, stops, acquirer, order: fields }: Attempt,
  { item: charge, lease }: Claimed<Charge>,
): Promise<CardOutcome> {
  if (!fields) throw undecided('the acquirer has no record of the previous payment');
  const check = () => {
    requireInTime(charge, clock());
    lease.check();
  };
  const { id, amount, payerName, payerDocument, payerEmail, description, card } = charge;
  const { cardToken, payerPhone = null, statementDescriptor = null } = fields;
  const outcome = await acquirer.pay(
    {
      ...{ id, amount, payerName, payerDocument, payerEmail, payerPhone, description, cardToken },
      installments: card?.installments ?? fields.installments,
      statementDescriptor,
    },
    stops.gate(subjectOf('charges', charge), { check }),
  );
  failPoint('card.answered');
  return outcome;
}

/**
 * Returns the outcome of an earlier order. Waits while another process works on the order; otherwise resumes
 * it.
 */
async function decided(attempt: Attempt, { id }: Charge): Promise<Charge> {
  const deadline = performance.now() + attempt.cardMaxWaitMs;
  while (performance.now() < deadline) {
    const charge = await findAnyCharge(attempt.database, id);
    if (!charge?.card) throw new Error('a card charge vanished');
    // The outcome is known, or an approval is already recorded and can pay the charge now. The acquirer need
    // not be asked.
    if (charge.status !== 'PENDING' || charge.card.acquirerId) return collect(attempt, charge, null);
    const claimed = await claimSoonDue(attempt, charge);
    if (claimed) return pay(attempt, claimed, { isFirst: false });
    await sleep(WAIT_STEP_MS);
  }
  throw undecided('the acquirer has not decided yet');
}

/**
 * Claims the charge if its next check is due now or within AHEAD_OF_SCHEDULE_MS. Returns null if the check is
 * due later, or while another process works on the charge.
 */
async function claimSoonDue(
  { database, clock, cardMaxWaitMs: leaseMs }: CreateCardCharge,
  { id, dueAt }: Charge,
): Promise<Claimed<Charge> | null> {
  const now = clock();
  if (dueAt > later(now, AHEAD_OF_SCHEDULE_MS)) return null;
  const row = await dueCharges.claimOne(database, { id, now, leaseMs });
  if (!row) return null;
  const charge = chargeOf(row);
  requireSeal(database, charge);
  return claimedOf(charge, clock);
}
