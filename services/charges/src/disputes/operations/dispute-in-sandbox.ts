import type { Database, Transaction } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { aheadOf, movedClock, noSandboxBank, requireSandbox, type SandboxBank } from '@plataforma/service';
import { z } from 'zod';
import type { Acquirers } from '../../cards/acquirer-client.ts';
import type { Charge } from '../../domain/charge.ts';
import type { PixProviders } from '../../pix/pix-client.ts';
import { lockCharge } from '../../store/charges.ts';
import { getCharge } from '../../store/own-charges.ts';
import { type Dispute, type DisputeNotice, disputedAmount } from '../domain/dispute.ts';
import { chargebackNotice, chargebackReference, infractionReference } from '../domain/provider-reference.ts';
import { findDisputeByReference } from '../store/disputes.ts';
import { openDispute, requireNothingUnderWay } from '../store/new-disputes.ts';

interface DisputeInSandbox {
  database: Database;
  bank: SandboxBank;
  pix: PixProviders;
  acquirers: Acquirers;
  clock: Clock;
}

interface Contested {
  tenant: Tenant;
  id: string;
  amount?: number | undefined;
  reason: string;
  description?: string | undefined;
}

/** The reasons that MED accepts for a Pix. For a card, the cardholder's bank may give any reason. */
const infractionReasons = new Map([
  ['FRAUD', 'FRAUD'],
  ['OPERATIONAL', 'OPERATIONAL_FLAW'],
]);

const reported = z.object({ idInfracao: z.string() });

/**
 * Contests a sandbox charge as the payer's bank does, by MED or by a chargeback. Opens the dispute at once;
 * the provider's later notice of the same dispute opens no second dispute.
 */
export async function disputeInSandbox(
  dependencies: DisputeInSandbox,
  { tenant, id, ...contested }: Contested,
  idempotency: IdempotencyRecord<Dispute>,
): Promise<Dispute> {
  const { database, clock } = dependencies;
  requireSandbox(tenant);
  const charge = await getCharge(database, tenant, id);
  const orderId = idempotency.begunId ?? newId();
  const contest = charge.paymentMethod === 'PIX' ? reportInfraction : chargeBack;
  if (idempotency.begunId === null) await begin(dependencies, { charge, orderId, ...contested }, idempotency);
  const notice = await contest(dependencies, { charge, orderId, ...contested });
  return database.transaction(async (tx) => {
    const dispute = await openDispute(tx, clock, notice);
    await idempotency.saveResponse(tx, dispute);
    return dispute;
  });
}

type Order = Omit<Contested, 'tenant' | 'id'> & { charge: Charge; orderId: string };

/** Refuses, before the call to the bank, a dispute that the platform could not open afterwards. */
async function begin(
  { database }: DisputeInSandbox,
  { charge: { id, paymentMethod }, orderId, amount, reason }: Order,
  idempotency: IdempotencyRecord<Dispute>,
): Promise<void> {
  if (paymentMethod === 'PIX' && !infractionReasons.has(reason)) throw notOfPix();
  await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, id);
    await requireNothingUnderWay(tx, charge, null);
    disputedAmount(charge, amount);
    if (charge.card) await requireNoChargeback(tx, charge.card.acquirerId);
    await idempotency.start(tx, orderId);
  });
}

/**
 * Refuses a second chargeback of a charge, because the acquirer would answer with the first chargeback, which
 * has ended.
 */
async function requireNoChargeback(tx: Transaction, acquirerId: string | null): Promise<void> {
  if (acquirerId === null || !(await findDisputeByReference(tx, chargebackReference(acquirerId)))) return;
  throw new Refusal('conflict', 'INVALID_STATE', 'the charge was charged back already');
}

async function reportInfraction(
  { database, bank, pix }: DisputeInSandbox,
  { charge, orderId, amount, reason, description }: Order,
): Promise<DisputeNotice> {
  const endToEndId = charge.endToEndId ?? undefined;
  const moved = movedClock(await aheadOf(database, charge));
  const order = { orderId, endToEndId, amount, reason: infractionReasons.get(reason), description, ...moved };
  const answer = await bank.order(`/pix/${charge.txid}/dispute`, order);
  if (!answer) throw noSandboxBank();
  const infraction = await pix(charge).findInfraction(reported.parse(answer).idInfracao);
  if (!infraction) throw noSandboxBank();
  const providerReference = infractionReference('sandbox', infraction.id);
  const { deadline } = infraction;
  const details = {
    amount: infraction.amount,
    reason: infraction.reason,
    description: infraction.description,
  };
  return { chargeId: charge.id, ...details, deadline, providerReference };
}

async function chargeBack(
  { bank, acquirers }: DisputeInSandbox,
  { charge, amount, reason }: Order,
): Promise<DisputeNotice> {
  const refusal = await bank
    .order(`/cards/${charge.id}/chargeback`, { amount, reason })
    .then((answer) => (answer ? null : noSandboxBank()))
    .catch((error) => {
      // INVALID_STATE means that an earlier attempt may have charged the payment back. The acquirer's charge
      // shows whether that happened.
      if (error instanceof Refusal && error.code === 'INVALID_STATE') return error;
      throw error;
    });
  if (refusal?.code === 'NO_SANDBOX_BANK') throw refusal;
  const acquirerId = charge.card?.acquirerId ?? '';
  const acquired = await acquirers(charge).inspect(acquirerId);
  if (acquired?.chargeback) return chargebackNotice(charge.id, acquirerId, acquired.chargeback);
  throw refusal ?? noSandboxBank();
}

function notOfPix(): Refusal {
  const message = 'reason: a Pix is contested for FRAUD or OPERATIONAL';
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}
