import { isUuid, type Tenant } from '@plataforma/kernel';

/**
 * The progress of a verification. `position` is the sequence of an entry in the chain, then the id of an
 * unchained entry. Null: the wallet is done.
 */
export interface Progress extends Tenant {
  position: number | string | null;
}

const DONE = 'done';

export function cursorOf({ merchantId, environment, position }: Progress): string {
  return [merchantId, environment, position ?? DONE].join(':');
}

/** Parses a text of `cursorOf`. Null, the result without one, means the beginning. */
export function progressIn(cursor: string | null | undefined): Progress | null {
  const [merchantId = '', environment, position = DONE] = cursor?.split(':') ?? [];
  if (environment !== 'production' && environment !== 'sandbox') return null;
  if (position === DONE) return { merchantId, environment, position: null };
  return { merchantId, environment, position: isUuid(position) ? position : Number(position) };
}
