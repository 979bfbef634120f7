import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { noSuchCharge } from '../domain/charge-refusals.ts';
import { CHARGE_COLUMNS, type ChargeRow, firstCharge } from './charge-rows.ts';

const COLUMNS = CHARGE_COLUMNS.join(', ');
/** A merchant does not see attempts with a card that are undecided or came to nothing. */
const VISIBLE = `(payment_method = 'PIX' OR status NOT IN ('PENDING', 'DECLINED'))`;

const FIND = `
  SELECT ${COLUMNS} FROM charges WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND ${VISIBLE}`;

/** Returns a merchant's charge; throws NOT_FOUND where the merchant sees none with this id. */
export async function getCharge(db: Queryable, tenant: Tenant, id: string): Promise<Charge> {
  const charge = firstCharge(await db.query<ChargeRow>(FIND, [id, tenant.merchantId, tenant.environment]));
  if (!charge) throw noSuchCharge();
  return charge;
}

const FIND_PUBLIC = `SELECT ${COLUMNS} FROM charges WHERE id = $1 AND ${VISIBLE}`;

/** Returns the charge of a checkout page, whose link is its own permission; throws NOT_FOUND. */
export async function getPublicCharge(db: Queryable, id: string): Promise<Charge> {
  const charge = firstCharge(await db.query<ChargeRow>(FIND_PUBLIC, [id]));
  if (!charge) throw noSuchCharge();
  return charge;
}
