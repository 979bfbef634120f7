import type { Database, MerchantDirectory } from '@plataforma/chassis';
import type { Clock, Tenant } from '@plataforma/kernel';
import { type Charge, demandSameOrder, feeOf } from '../domain/charge.ts';
import { newCharge, type Order } from '../domain/new-charge.ts';
import { demandDocument } from '../domain/payer.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findChargeByExternalId, insertCharge } from '../store/charges.ts';
import { registerCharge } from './register-charge.ts';

interface CreatePixCharge {
  database: Database;
  merchants: MerchantDirectory;
  pix: PixProviders;
  clock: Clock;
  /** How long the caller has to get the charge its code before the clock takes over. */
  registrationGraceMs: number;
  /** When an unpaid charge is first asked about without any notice. */
  firstPollMs: number;
}

/**
 * Writes the charge down, then makes it known to the provider under its own txid. Whatever happens in
 * between, the same order sent again finds the same charge and goes on from there; so does the clock.
 */
export async function createPixCharge(
  { database, merchants, pix, clock, registrationGraceMs, firstPollMs }: CreatePixCharge,
  tenant: Tenant,
  order: Order & { expiresIn: number },
): Promise<{ charge: Charge; isNew: boolean }> {
  demandDocument(order.payerDocument, tenant.environment);
  const provider = pix(tenant.environment);
  const merchant = await merchants.find(tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.pixFeeBps, feeFixed: merchant.pixFeeFixed });
  const now = clock();
  const expiresAt = new Date(now.getTime() + order.expiresIn * 1000);
  const planned = { ...newCharge(order, { tenant, fee, now, paymentMethod: 'PIX' }), expiresAt };

  const isNew = await insertCharge(database, planned, new Date(now.getTime() + registrationGraceMs));
  const charge = isNew ? planned : await existingCharge(database, planned);
  return { charge: await registerCharge({ database, provider, clock, firstPollMs }, charge), isNew };
}

async function existingCharge(database: Database, planned: Charge): Promise<Charge> {
  const charge = await findChargeByExternalId(database, planned, planned.externalId);
  if (!charge) throw new Error('a charge vanished');
  demandSameOrder(charge, planned);
  return charge;
}
