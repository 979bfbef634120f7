import type { Queryable } from '@plataforma/data';

const FIND = 'SELECT logo FROM merchant_logos WHERE merchant_id = $1';

/** Finds the merchant's logo, which production and the sandbox share; null when the merchant has no logo. */
export async function findMerchantLogo(db: Queryable, merchantId: string): Promise<string | null> {
  return (await db.query<{ logo: string }>(FIND, [merchantId]))[0]?.logo ?? null;
}

const SAVE = `
  INSERT INTO merchant_logos (merchant_id, logo) VALUES ($1, $2)
  ON CONFLICT (merchant_id) DO UPDATE SET logo = excluded.logo`;
const DELETE = 'DELETE FROM merchant_logos WHERE merchant_id = $1';

/**
 * Saves or deletes the logo in one statement, so that the later of two simultaneous changes wins completely.
 */
export async function saveMerchantLogo(
  db: Queryable,
  { merchantId, logo }: { merchantId: string; logo: string | null },
): Promise<void> {
  await (logo === null ? db.query(DELETE, [merchantId]) : db.query(SAVE, [merchantId, logo]));
}
