import { isUuid, type Tenant } from '@plataforma/kernel';

/**
 * How far a verification has come: to the entry of this number in a wallet's chain; or, when that is done, to the entry of
 * this id outside of it; null: all of the wallet is done.
 */
export interface Progress extends Tenant {
  position: number | string | null;
}

const DONE = 'done';

export function cursorOf({ merchantId, environment, position }: Progress): string {
  return [merchantId, environment, position ?? DONE].join(':');
}

/** Parses the text of `cursorOf`; null: from the beginning. */
export function progressIn(cursor: string | null | undefined): Progress | null {
  const [merchantId = '', environment, position = DONE] = cursor?.split(':') ?? [];
  if (environment !== 'production' && environment !== 'sandbox') return null;
  if (position === DONE) return { merchantId, environment, position: null };
  return { merchantId, environment, position: isUuid(position) ? position : Number(position) };
}
