import type { Database, Log } from '@plataforma/chassis';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import { type Charge, noSuchCharge, notPayable } from '../domain/charge.ts';
import type { PixProviders } from '../pix/providers.ts';
import type { SandboxPayer } from '../pix/sandbox-payer.ts';
import { claimSimulation, findCharge, releaseSimulation } from '../store/charges.ts';
import { confirmPayment } from './confirm-payment.ts';

interface SimulatePayment {
  database: Database;
  pix: PixProviders;
  payer: SandboxPayer;
  log: Log;
  clock: Clock;
}

/** Pays a sandbox charge as its payer would, and confirms it the way every payment is confirmed. */
export async function simulatePayment(parts: SimulatePayment, tenant: Tenant, id: string): Promise<Charge> {
  const { database, clock } = parts;
  if (tenant.environment !== 'sandbox') {
    throw new Refusal('forbidden', 'SANDBOX_ONLY', 'only a sandbox charge can be paid by simulation');
  }
  const charge = await demandCharge(database, tenant, id);
  if (!(await claimSimulation(database, id, clock()))) throw notPayable(charge.status);
  try {
    await payOnce(parts, tenant, charge);
  } finally {
    await releaseSimulation(database, id);
  }
  const paid = await demandCharge(database, tenant, id);
  if (paid.status !== 'PAID') throw notPayable(paid.status);
  return paid;
}

/** Asks before it pays: an earlier try may have paid and not have heard of it. */
async function payOnce(parts: SimulatePayment, tenant: Tenant, { id, txid }: Charge): Promise<void> {
  await confirmPayment(parts, txid);
  const { status } = await demandCharge(parts.database, tenant, id);
  if (status !== 'PENDING') return;
  await parts.payer.pay(txid);
  await confirmPayment(parts, txid);
}

async function demandCharge(database: Database, tenant: Tenant, id: string): Promise<Charge> {
  const charge = await findCharge(database, tenant, id);
  if (!charge) throw noSuchCharge();
  return charge;
}
