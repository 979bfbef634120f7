import type { Queryable } from '@plataforma/data';

const FIND = 'SELECT logo FROM merchant_logos WHERE merchant_id = $1';

/** Finds the logo of a merchant for both environments; null without one. */
export async function findMerchantLogo(db: Queryable, merchantId: string): Promise<string | null> {
  return (await db.query<{ logo: string }>(FIND, [merchantId]))[0]?.logo ?? null;
}

const SAVE = `
  INSERT INTO merchant_logos (merchant_id, logo) VALUES ($1, $2)
  ON CONFLICT (merchant_id) DO UPDATE SET logo = excluded.logo`;
const DELETE = 'DELETE FROM merchant_logos WHERE merchant_id = $1';

/** By one statement: of two changes at once the later one is there, whole. */
export async function saveMerchantLogo(
  db: Queryable,
  { merchantId, logo }: { merchantId: string; logo: string | null },
): Promise<void> {
  await (logo === null ? db.query(DELETE, [merchantId]) : db.query(SAVE, [merchantId, logo]));
}
