import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { noSuchCharge } from '../domain/charge-refusals.ts';
import { findCharge, requireSeal } from './charge-rows.ts';

/** Excludes undecided and declined card attempts, which merchants do not see. */
const VISIBLE = `(payment_method = 'PIX' OR status NOT IN ('PENDING', 'DECLINED'))`;
const OWN = `id = $1 AND merchant_id = $2 AND environment = $3 AND ${VISIBLE}`;

/**
 * Returns a merchant's charge. Throws NOT_FOUND when the merchant has no visible charge with this id. Throws
 * INVALID_STATE for a row without a valid seal, because a shop would deliver goods after a forged PAID.
 */
export async function getCharge(db: Queryable, tenant: Tenant, id: string): Promise<Charge> {
  return shown(db, await findCharge(db, OWN, [id, tenant.merchantId, tenant.environment]));
}

/**
 * Returns the charge of a checkout page. Throws NOT_FOUND for an unknown id. Any caller that knows the page's
 * address may read the charge.
 */
export async function getPublicCharge(db: Queryable, id: string): Promise<Charge> {
  return shown(db, await findCharge(db, `id = $1 AND ${VISIBLE}`, [id]));
}

function shown(db: Queryable, charge: Charge | null): Charge {
  if (!charge) throw noSuchCharge();
  requireSeal(db, charge);
  return charge;
}
