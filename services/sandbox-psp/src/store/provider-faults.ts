import type { Database, Queryable } from '@plataforma/data';
import { MAX_LOST_ANSWERS, NO_FAULTS, type ProviderFaults } from '../domain/provider-faults.ts';

const FIND = 'SELECT pix, card, payout, until FROM weather WHERE merchant_id = $1 AND until > now()';

export async function findProviderFaults(db: Queryable, merchantId: string): Promise<ProviderFaults> {
  const [row] = await db.query<ProviderFaults & Record<string, unknown>>(FIND, [merchantId]);
  return row ?? NO_FAULTS;
}

const CLEAR = "DELETE FROM weather WHERE until <= now() OR pix = 'ok' AND card = 'ok' AND payout = 'ok'";

const CHANGE = `
  INSERT INTO weather (merchant_id, pix, card, payout, until)
  VALUES ($1, coalesce($2, 'ok'), coalesce($3, 'ok'), coalesce($4, 'ok'), now() + interval '1 day')
  ON CONFLICT (merchant_id) DO UPDATE SET
    pix = coalesce($2, weather.pix), card = coalesce($3, weather.card), payout = coalesce($4, weather.payout),
    until = excluded.until`;

const FORGET = 'DELETE FROM lost_answers WHERE merchant_id = $1';

type Change = { [provider in 'pix' | 'card' | 'payout']?: ProviderFaults[provider] | undefined };

/**
 * Changes the given states of a merchant's providers, and leaves the other states unchanged. All faults then
 * last for a day. Also deletes the records of lost answers, so that the same calls can lose an answer again.
 */
export async function changeProviderFaults(
  database: Database,
  merchantId: string,
  { pix, card, payout }: Change,
): Promise<ProviderFaults> {
  return database.transaction(async (tx) => {
    await tx.query(CLEAR);
    await tx.query(CHANGE, [merchantId, pix, card, payout]);
    await tx.query(FORGET, [merchantId]);
    await tx.query(CLEAR);
    return findProviderFaults(tx, merchantId);
  });
}

const LOSE = `
  INSERT INTO lost_answers (merchant_id, call)
  SELECT merchant_id, $2 FROM weather
  WHERE merchant_id = $1 AND (SELECT count(*) FROM lost_answers WHERE merchant_id = $1) < ${MAX_LOST_ANSWERS}
  FOR KEY SHARE
  ON CONFLICT DO NOTHING
  RETURNING true`;

/**
 * Records the call, and returns true if its answer must be lost. Only the first answer to a call is lost, and
 * only until the merchant's limit of lost answers is reached.
 */
export async function losesAnswer(db: Queryable, merchantId: string, call: Buffer): Promise<boolean> {
  return (await db.query(LOSE, [merchantId, call])).length > 0;
}
