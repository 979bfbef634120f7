import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { findCharge } from './charge-rows.ts';

const IS_OF_TOKEN = 'SELECT FROM charges WHERE id = $1 AND card_token_hash = $2';

/** Returns whether the charge was stored for the card with this token. */
export async function isOfToken(db: Queryable, chargeId: string, tokenHash: Buffer): Promise<boolean> {
  return (await db.query(IS_OF_TOKEN, [chargeId, tokenHash])).length === 1;
}

/**
 * An attempt with one of these two decline reasons has not used up its card token. The condition must equal
 * the condition of the index `charges_card_attempt`.
 */
const DECLINED = `
  merchant_id = $1 AND environment = $2 AND external_id = $3 AND card_token_hash = $4 AND status = 'DECLINED'
    AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed')`;

/** Finds the declined attempt that had this externalId and used up this token. */
export function findDeclinedAttempt(
  db: Queryable,
  { merchantId, environment, externalId }: Tenant & { externalId: string },
  tokenHash: Buffer,
): Promise<Charge | null> {
  return findCharge(db, DECLINED, [merchantId, environment, externalId, tokenHash]);
}
