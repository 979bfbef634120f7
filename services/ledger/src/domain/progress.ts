import { isUuid, type Tenant } from '@plataforma/kernel';

/**
 * The progress of a verification. `position` is first the sequence number of an entry in the chain, and later
 * the id of an entry outside of the chain. It is null once the last entry of the wallet is verified.
 */
export interface Progress extends Tenant {
  position: number | string | null;
}

const DONE = 'done';

export function cursorOf({ merchantId, environment, position }: Progress): string {
  return [merchantId, environment, position ?? DONE].join(':');
}

/**
 * Parses a cursor that `cursorOf` made. Returns null if the cursor is missing or malformed; the caller then
 * starts at the first wallet.
 */
export function progressIn(cursor: string | null | undefined): Progress | null {
  const [merchantId = '', environment, position = DONE] = cursor?.split(':') ?? [];
  if (environment !== 'production' && environment !== 'sandbox') return null;
  if (position === DONE) return { merchantId, environment, position: null };
  return { merchantId, environment, position: isUuid(position) ? position : Number(position) };
}
