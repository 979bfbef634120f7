import type { Transaction } from '@plataforma/data';
import type { Remembering } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime } from '@plataforma/service';
import type { Charge } from '../domain/charge.ts';
import { subjectOf } from '../domain/held.ts';
import { demandSameOrder, feeOf, newCharge, type Order } from '../domain/new-charge.ts';
import { demandDocument } from '../domain/payer.ts';
import { failPoint } from '../fail-points.ts';
import type { PixProviders } from '../pix/providers.ts';
import { type RegisterCharge, registerCharge } from '../steps/register-charge.ts';
import { type Created, writeDown } from '../steps/write-down.ts';
import { findAnyCharge, findChargeByExternalId } from '../store/charges.ts';

interface CreatePixCharge extends Omit<RegisterCharge, 'provider'> {
  merchants: MerchantDirectory;
  pix: PixProviders;
  hints: { created(charge: Charge): void };
}

interface Wanted {
  tenant: Tenant;
  order: Order & { expiresIn: number };
  /** Whether the merchant is read, or recalled unless that turns out to be old. */
  merchantBy?: 'find' | 'recall';
}

/**
 * Writes the charge down, then makes it known to the provider under its own txid. Whatever happens in
 * between, the same order sent again finds the same charge and goes on from there; so does the clock.
 */
export async function createPixCharge(
  parts: CreatePixCharge,
  wanted: Wanted,
  remembering: Remembering<Created>,
): Promise<Created> {
  const { environment } = wanted.tenant;
  demandDocument(wanted.order.payerDocument, environment);
  const provider = parts.pix(wanted.tenant);
  const { charge, isNew } =
    (await begunCharge(parts, remembering)) ?? (await writtenCharge(parts, wanted, remembering));
  const keep = remembering.isKeyed
    ? (tx: Transaction, as: Charge) => remembering.keep(tx, { charge: as, isNew })
    : null;
  return { charge: await registerCharge({ ...parts, provider }, charge, keep), isNew };
}

async function begunCharge(
  { database }: CreatePixCharge,
  { begunId }: Remembering<Created>,
): Promise<Created | null> {
  const charge = begunId && (await findAnyCharge(database, begunId));
  return charge ? { charge, isNew: true } : null;
}

async function writtenCharge(
  parts: CreatePixCharge,
  { tenant, order, merchantBy = 'recall' }: Wanted,
  remembering: Remembering<Created>,
): Promise<Created> {
  const { database, merchants, stops, clock, firstPollMs } = parts;
  const merchant = await merchants[merchantBy](tenant.merchantId);
  const fee = feeOf(order.amount, { feeBps: merchant.pixFeeBps, feeFixed: merchant.pixFeeFixed });
  const now = await merchantTime(database, clock, tenant);
  const expiresAt = new Date(now.getTime() + order.expiresIn * 1000);
  const dueAt = new Date(clock().getTime() + Math.min(order.expiresIn * 1000, firstPollMs));
  const planned = { ...newCharge(order, { tenant, fee, now, paymentMethod: 'PIX' }), expiresAt, dueAt };

  const merchantVersion = merchantBy === 'recall' ? merchant.version : null;
  if (await writeDown(database, { charge: planned, cardTokenHash: null, merchantVersion }, remembering)) {
    failPoint('charge.stored');
    parts.hints.created(planned);
    return { charge: planned, isNew: true };
  }
  // A stop lets nothing new be stored, and an order that is known already has its answer.
  const known = await findChargeByExternalId(database, planned);
  if (known) {
    demandSameOrder(known, planned);
    return { charge: known, isNew: false };
  }
  await stops.demand(subjectOf('charges', planned));
  // The merchant has changed, or what had the number ended within this moment: the caller may as well have come later.
  return writtenCharge(parts, { tenant, order, merchantBy: 'find' }, remembering);
}
