import type { Queryable, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { findCharge, requireSeal, withSeal } from './charge-rows.ts';

const HAS_EXTERNAL_ID = `
  merchant_id = $1 AND environment = $2 AND external_id = $3 AND right(external_id, 8) = right($3, 8)
    AND status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')
    AND (checkout_id IS NOT DISTINCT FROM $4::uuid OR payment_link_id IS DISTINCT FROM $5::uuid)`;

/**
 * Finds the charge with this externalId. Does not find charges that ended unpaid, or charges of other visits
 * to the same payment link, because they leave the externalId free.
 */
export function findChargeByExternalId(
  db: Queryable,
  order: Tenant & Pick<Charge, 'externalId' | 'checkoutId' | 'paymentLinkId'>,
): Promise<Charge | null> {
  const { merchantId, environment, externalId, checkoutId, paymentLinkId } = order;
  const values = [merchantId, environment, externalId, checkoutId, paymentLinkId];
  return findCharge(db, HAS_EXTERNAL_ID, values);
}

export function findAnyCharge(db: Queryable, id: string): Promise<Charge | null> {
  return findCharge(db, 'id = $1', [id]);
}

/**
 * Returns a charge. Throws an Error when the charge is missing, because the id comes from another row of the
 * database. Throws INVALID_STATE if the charge has no valid seal.
 */
export async function readCharge(db: Queryable, id: string): Promise<Charge> {
  return trusted(db, await findAnyCharge(db, id));
}

/** Locks a charge. Throws the same errors as `readCharge`. */
export async function lockCharge(tx: Transaction, id: string): Promise<Charge> {
  return trusted(tx, await findCharge(tx, 'id = $1 FOR UPDATE', [id]));
}

const SAVE = `
  UPDATE charges
  SET status = $2, sequence = $3, paid_at = $4, end_to_end_id = $5, settles_at = $6, acquirer_id = $7,
    card_brand = $8, card_last_digits = $9, decline_reason = $10, is_voiding = $11, is_watched = $12,
    refunded_cents = $13, refunded_at = $14, refund_reason = $15, next_check_at = $16, checks = $17,
    lease_token = $18,
    lease_until = $19, nsu = $20, authorization_code = $21, expires_at = $22, seal = $23,
    cancelled_at = CASE $2
    WHEN 'CANCELLED' THEN coalesce(cancelled_at, now()) END
  WHERE id = $1`;

/** Saves the fields that change after the registration of a charge, with a new seal. */
export async function saveCharge(tx: Transaction, changed: Charge): Promise<void> {
  const { card, refund, ...charge } = withSeal(tx, changed);
  const { id, status, sequence, paidAt, endToEndId, settlesAt, dueAt, attempts, leaseToken, leaseUntil } =
    charge;
  const paid = [paidAt, endToEndId, settlesAt, card?.acquirerId, card?.brand, card?.lastDigits];
  const attempt = [card?.declineReason, card?.isVoiding ?? false, card?.isWatched ?? false];
  const returned = [refund?.amount, refund?.at, refund?.reason];
  const leaseValues = [dueAt, attempts, leaseToken, leaseUntil];
  const others = [card?.nsu, card?.authorizationCode, charge.expiresAt, charge.seal];
  await tx.query(SAVE, [id, status, sequence, ...paid, ...attempt, ...returned, ...leaseValues, ...others]);
}

function trusted(db: Queryable, charge: Charge | null): Charge {
  if (!charge) throw new Error('a charge vanished');
  requireSeal(db, charge);
  return charge;
}
