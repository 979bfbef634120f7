import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@plataforma/kernel';

/** Refuses with NOT_FOUND whoever does not know the part of a callback's address that only the provider knows. */
export function demandSecret(given: string, expected: string): void {
  if (!isSame(given, expected)) throw new Refusal('missing', 'NOT_FOUND', 'there is nothing at this path');
}

/** Compares digests, so that neither the length nor the first wrong letter shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
