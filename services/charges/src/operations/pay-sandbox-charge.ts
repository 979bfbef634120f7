import type { Database } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { aheadOf, merchantTime, requireSandbox, type SandboxBank } from '@plataforma/service';
import type { Charge } from '../domain/charge.ts';
import { notPayable } from '../domain/charge-refusals.ts';
import { failPoint } from '../fail-points.ts';
import { payAtBank, withoutCode } from '../pix/pay-at-bank.ts';
import { requireSeal } from '../store/charge-rows.ts';
import { lockCharge } from '../store/charges.ts';
import { getCharge } from '../store/own-charges.ts';
import { type RecordedReceipt, readRecordedReceipts } from '../store/payments.ts';
import { endTime } from '../store/simulations.ts';

interface PaySandboxCharge {
  database: Database;
  bank: SandboxBank;
  clock: Clock;
  confirmPaymentsNow: (charge: Charge) => Promise<unknown>;
  expireCharge: (charge: Charge) => Promise<void>;
}

interface SandboxPayment {
  tenant: Tenant;
  id: string;
  amount?: number | undefined;
  times: number;
  /** True to pay after the charge has expired. A charge that has not expired yet expires at once. */
  late: boolean;
}

export interface PaidBySandbox {
  charge: Charge;
  payments: RecordedReceipt[];
}

/**
 * Makes the requested payments to a sandbox charge, and records them like all payments. A repeated request
 * with the same key gets the same payments, because the bank identifies them by the order's id.
 */
export async function paySandboxCharge(
  dependencies: PaySandboxCharge,
  { tenant, id, late, ...input }: SandboxPayment,
  idempotency: IdempotencyRecord<PaidBySandbox>,
): Promise<PaidBySandbox> {
  const { database, bank } = dependencies;
  requireSandbox(tenant);
  const charge = await getCharge(database, tenant, id);
  requireSeal(database, charge);
  if (charge.paymentMethod !== 'PIX') throw paidByCard();
  bank.requireAddress();
  const orderId = idempotency.begunId ?? (await begin(dependencies, { charge, late }, idempotency));
  if (late) await endNow(dependencies, charge);
  failPoint('payers.asked');
  const endToEndIds = await payAtBank(bank, charge, {
    aheadMs: await aheadOf(database, tenant),
    orderId,
    ...input,
  });
  failPoint('payers.paid');
  await dependencies.confirmPaymentsNow(charge);
  return database.transaction(async (tx) => {
    const after = await lockCharge(tx, id);
    const paid = { charge: after, payments: await readRecordedReceipts(tx, endToEndIds) };
    if (paid.payments.length < endToEndIds.length) throw notListed();
    await idempotency.saveResponse(tx, paid);
    return paid;
  });
}

async function begin(
  { database }: PaySandboxCharge,
  { charge: { id }, late }: { charge: Charge; late: boolean },
  idempotency: IdempotencyRecord<PaidBySandbox>,
): Promise<string> {
  return database.transaction(async (tx) => {
    const { status, qrCode } = await lockCharge(tx, id);
    if (status !== 'PENDING' && !late) throw notPayable(status);
    // With `late`, the charge expires before the payment. A charge that expires without a code never gets
    // one, so it cannot be paid.
    if (status === 'PENDING' && late && qrCode === null) throw withoutCode(status);
    const orderId = newId();
    await idempotency.start(tx, orderId);
    return orderId;
  });
}

/** Makes the charge expire now, unless the provider confirms an earlier payment. */
async function endNow(dependencies: PaySandboxCharge, charge: Charge): Promise<void> {
  const { database, clock } = dependencies;
  const ends = { now: await merchantTime(database, clock, charge), dueAt: clock() };
  if (await endTime(database, charge.id, ends)) await dependencies.expireCharge(charge);
}

function paidByCard(): Refusal {
  const message = 'a card charge is paid when it is created; no payment can be simulated';
  return new Refusal('conflict', 'CHARGE_NOT_PAYABLE', message);
}

function notListed(): Refusal {
  const message = 'the sandbox provider does not list the payments yet; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
