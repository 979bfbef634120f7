import type { Database, MerchantDirectory } from '@plataforma/chassis';
import { type Clock, newId, Refusal, type Tenant } from '@plataforma/kernel';
import { type Charge, demandSameOrder, feeOf } from '../domain/charge.ts';
import { demandDocument } from '../domain/payer.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findChargeByExternalId, insertCharge } from '../store/charges.ts';
import { registerCharge } from './register-charge.ts';

export interface Order {
  amount: number;
  externalId: string;
  payerName: string;
  payerDocument: string;
  paymentMethod: 'PIX' | 'CARD';
  description?: string | undefined;
  payerEmail?: string | undefined;
  expiresIn: number;
}

interface CreateCharge {
  database: Database;
  merchants: MerchantDirectory;
  pix: PixProviders;
  clock: Clock;
  /** How long the caller has to get the charge its code before the clock takes over. */
  registrationGraceMs: number;
}

/**
 * Writes the charge down, then makes it known to the provider under its own txid. Whatever happens in
 * between, the same order sent again finds the same charge and goes on from there; so does the clock.
 */
export async function createCharge(
  { database, merchants, pix, clock, registrationGraceMs }: CreateCharge,
  tenant: Tenant,
  order: Order,
): Promise<{ charge: Charge; isNew: boolean }> {
  if (order.paymentMethod === 'CARD') {
    throw new Refusal('forbidden', 'CARD_NOT_ENABLED', 'the account is not enabled for card charges');
  }
  demandDocument(order.payerDocument, tenant.environment);
  const provider = pix(tenant.environment);
  const merchant = await merchants.find(tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.pixFeeBps, feeFixed: merchant.pixFeeFixed });
  const planned = plan({ ...order, paymentMethod: 'PIX' }, { tenant, fee, now: clock() });

  const nextCheckAt = new Date(planned.createdAt.getTime() + registrationGraceMs);
  const isNew = await insertCharge(database, planned, nextCheckAt);
  const charge = isNew ? planned : await existing(database, planned);
  return { charge: await registerCharge({ database, provider, clock }, charge), isNew };
}

async function existing(database: Database, planned: Charge): Promise<Charge> {
  const charge = await findChargeByExternalId(database, planned, planned.externalId);
  if (!charge) throw new Error('a charge vanished');
  demandSameOrder(charge, planned);
  return charge;
}

function plan(
  order: Order & { paymentMethod: 'PIX' },
  { tenant, fee, now }: { tenant: Tenant; fee: number; now: Date },
): Charge {
  const id = newId();
  return {
    id,
    merchantId: tenant.merchantId,
    environment: tenant.environment,
    externalId: order.externalId,
    // API Pix: 26 to 35 letters and digits, ours for ever.
    txid: id.replaceAll('-', ''),
    paymentMethod: order.paymentMethod,
    amount: order.amount,
    feeAmount: fee,
    netAmount: order.amount - fee,
    status: 'PENDING',
    sequence: 0,
    payerName: order.payerName,
    payerDocument: order.payerDocument,
    payerEmail: order.payerEmail ?? null,
    description: order.description ?? null,
    qrCode: null,
    endToEndId: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + order.expiresIn * 1000),
    paidAt: null,
  };
}
