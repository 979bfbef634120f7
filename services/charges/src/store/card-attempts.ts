import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { findCharge } from './charge-rows.ts';

const IS_OF_TOKEN = 'SELECT FROM charges WHERE id = $1 AND card_token_hash = $2';

/** Returns whether a charge was stored for the card that has this token. */
export async function isOfToken(db: Queryable, chargeId: string, tokenHash: Buffer): Promise<boolean> {
  return (await db.query(IS_OF_TOKEN, [chargeId, tokenHash])).length === 1;
}

/** Those two did not use the token up; the index `charges_card_attempt` leaves them out, in the same words. */
const DECLINED = `
  merchant_id = $1 AND environment = $2 AND external_id = $3 AND card_token_hash = $4 AND status = 'DECLINED'
    AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed')`;

/** The attempt at this order that used up this token and came to nothing. */
export function findDeclinedAttempt(
  db: Queryable,
  { merchantId, environment, externalId }: Tenant & { externalId: string },
  tokenHash: Buffer,
): Promise<Charge | null> {
  return findCharge(db, DECLINED, [merchantId, environment, externalId, tokenHash]);
}
