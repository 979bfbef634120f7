import type { Database, Log } from '@plataforma/chassis';
import { type Clock, Refusal, type Tenant } from '@plataforma/kernel';
import { type Charge, notPayable } from '../domain/charge.ts';
import type { PixProviders } from '../pix/providers.ts';
import type { SandboxPayer } from '../pix/sandbox-payer.ts';
import { claimSimulation, findCharge } from '../store/charges.ts';
import { confirmPayment } from './confirm-payment.ts';

interface SimulatePayment {
  database: Database;
  pix: PixProviders;
  payer: SandboxPayer;
  log: Log;
  clock: Clock;
}

/** Pays a sandbox charge as its payer would, and confirms it the way every payment is confirmed. */
export async function simulatePayment(
  { database, pix, payer, log, clock }: SimulatePayment,
  tenant: Tenant,
  id: string,
): Promise<Charge> {
  if (tenant.environment !== 'sandbox') {
    throw new Refusal('forbidden', 'SANDBOX_ONLY', 'only a sandbox charge can be paid by simulation');
  }
  const charge = await demandCharge(database, tenant, id);
  if (!(await claimSimulation(database, id, clock()))) throw notPayable(charge.status);

  await payer.pay(charge.txid);
  await confirmPayment({ database, pix, log }, charge.txid);
  const paid = await demandCharge(database, tenant, id);
  if (paid.status !== 'PAID') throw notPayable(paid.status);
  return paid;
}

async function demandCharge(database: Database, tenant: Tenant, id: string): Promise<Charge> {
  const charge = await findCharge(database, tenant, id);
  if (!charge) throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this id');
  return charge;
}
