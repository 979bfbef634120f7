import { createHash, timingSafeEqual } from 'node:crypto';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { IDENTITY_HEADER, type Verifier } from './identity.ts';
import { type Answer, type Call, serveTo } from './serve.ts';

/**
 * Serves a provider's callback, whose address has a part that only the provider knows: `:secret` in the path. Whoever
 * does not know it hears NOT_FOUND, and nothing of what they send is read.
 */
export function serveCallback<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  door: { verifier: Verifier; secret: string; answer: (call: Call<E>) => Promise<Answer<E>> },
): void {
  serveTo(router, endpoint, {
    authenticate(req) {
      door.verifier.verify(req.get(IDENTITY_HEADER));
      demandSecret(String(req.params.secret), door.secret);
    },
    answer: door.answer,
  });
}

function demandSecret(given: string, expected: string): void {
  if (!isSame(given, expected)) throw new Refusal('missing', 'NOT_FOUND', 'there is nothing at this path');
}

/** Compares digests, so that neither the length nor the first wrong letter shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
