import type { Database } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import { aheadOf, requireSandbox, type SandboxBank } from '@plataforma/service';
import type { Charge } from '../domain/charge.ts';
import { notPayable } from '../domain/charge-refusals.ts';
import { failPoint } from '../fail-points.ts';
import { payAtBank } from '../pix/pay-at-bank.ts';
import { requireSeal } from '../store/charge-rows.ts';
import { lockCharge } from '../store/charges.ts';
import { getCharge } from '../store/own-charges.ts';
import { claimSimulation, releaseSimulation } from '../store/simulations.ts';

interface SimulatePayment {
  database: Database;
  bank: SandboxBank;
  clock: Clock;
  confirmPaymentsNow: (charge: Charge) => Promise<unknown>;
}

/** Pays a sandbox charge as a payer would, and confirms the payment like any other payment. */
export async function simulatePayment(
  dependencies: SimulatePayment,
  { tenant, id }: { tenant: Tenant; id: string },
  idempotency: IdempotencyRecord<Charge>,
): Promise<Charge> {
  const { database } = dependencies;
  requireSandbox(tenant);
  const charge = await getCharge(database, tenant, id);
  requireSeal(database, charge);
  const isPaidByThis = idempotency.begunId !== null && charge.paidAt !== null;
  if (!isPaidByThis) {
    const claimedAt = await beginSimulation(dependencies, charge, idempotency);
    failPoint('simulation.claimed');
    try {
      await payOnce(dependencies, tenant, charge);
    } finally {
      await releaseSimulation(database, id, claimedAt);
    }
  }
  return database.transaction(async (tx) => {
    const paid = await lockCharge(tx, id);
    if (!paid.paidAt) throw notPayable(paid.status);
    await idempotency.saveResponse(tx, paid);
    return paid;
  });
}

async function beginSimulation(
  { database, clock }: SimulatePayment,
  { id, status }: Charge,
  idempotency: IdempotencyRecord<Charge>,
): Promise<Date> {
  const now = clock();
  return database.transaction(async (tx) => {
    const isOurs = await claimSimulation(tx, id, now);
    if (isOurs && idempotency.begunId === null) await idempotency.start(tx, id);
    if (isOurs) return now;
    if (idempotency.begunId === null || status !== 'PENDING') throw notPayable(status);
    throw new Refusal('conflict', 'REQUEST_IN_PROGRESS', 'the charge is being paid at this moment');
  });
}

/**
 * Pays at most once. Asks the provider first, because an earlier attempt may have paid although its answer
 * was lost.
 */
async function payOnce(dependencies: SimulatePayment, tenant: Tenant, { id }: Charge): Promise<void> {
  const confirm = async () =>
    dependencies.confirmPaymentsNow(await getCharge(dependencies.database, tenant, id));
  await confirm();
  const charge = await getCharge(dependencies.database, tenant, id);
  if (charge.status !== 'PENDING') return;
  await payAtBank(dependencies.bank, charge, { aheadMs: await aheadOf(dependencies.database, tenant) });
  failPoint('simulation.paid');
  await confirm();
}
