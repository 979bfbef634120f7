import { isUuid, type Tenant } from '@plataforma/kernel';

/**
 * How far a verification has come: to the entry of this number in a wallet's chain; or, when that is done, to the entry of
 * this id outside of it; null: all of the wallet is done.
 */
export interface Progress extends Tenant {
  place: number | string | null;
}

const DONE = 'done';

export function cursorOf({ merchantId, environment, place }: Progress): string {
  return [merchantId, environment, place ?? DONE].join(':');
}

/** Parses the text of `cursorOf`; null: from the beginning. */
export function progressIn(cursor: string | null | undefined): Progress | null {
  const [merchantId = '', environment, place = DONE] = cursor?.split(':') ?? [];
  if (environment !== 'production' && environment !== 'sandbox') return null;
  if (place === DONE) return { merchantId, environment, place: null };
  return { merchantId, environment, place: isUuid(place) ? place : Number(place) };
}
