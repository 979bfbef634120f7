import type { Database } from '@plataforma/chassis';
import type { Charge } from '../domain/charge.ts';
import type { PixClient } from '../pix/pix-client.ts';
import { setQrCode } from '../store/charges.ts';

interface RegisterCharge {
  database: Database;
  provider: PixClient;
}

/** Gives a charge its code. The provider knows it by our txid, so that doing this twice is doing it once. */
export async function registerCharge(
  { database, provider }: RegisterCharge,
  charge: Charge,
): Promise<Charge> {
  if (charge.qrCode !== null || charge.status !== 'PENDING') return charge;
  const qrCode = await provider.register(charge);
  await setQrCode(database, charge.id, qrCode);
  return { ...charge, qrCode };
}
