import type { Queryable } from '@plataforma/data';
import { demandImage } from '../domain/logo.ts';
import { saveMerchantLogo } from '../store/merchant-logos.ts';

/** By one statement: of two changes at once the later one is there, whole. */
export async function changeLogo(
  { database }: { database: Queryable },
  change: { merchantId: string; logo: string | null },
): Promise<void> {
  if (change.logo !== null) demandImage(change.logo);
  await saveMerchantLogo(database, change);
}
