import { createHash, timingSafeEqual } from 'node:crypto';
import { type Endpoint, probeOf } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { IRouter, Request } from 'express';
import { z } from 'zod';
import { IDENTITY_HEADER, type Verifier } from './identity.ts';
import { type Answer, type Call, serveTo } from './serve.ts';

const SHORTEST_SECRET = 16;

/**
 * The secrets in the address of a callback, separated by commas. While the secret is being changed, the old
 * and the new secret are valid, until the provider calls the new address.
 */
export const callbackSecrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (secrets) => secrets.every((secret) => secret.length >= SHORTEST_SECRET),
    `must be at least ${SHORTEST_SECRET} characters long; a comma separates two secrets, each so long, and is part of none`,
  );

/**
 * Serves the callback of a provider, and the GET with which some providers test the address first. The path
 * has a parameter `:secret` that only the provider knows. A caller with a wrong secret gets NOT_FOUND before
 * its body is read.
 */
export function serveCallback<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  handler: { verifier: Verifier; secrets: readonly string[]; answer: (call: Call<E>) => Promise<Answer<E>> },
): void {
  const authenticate = (req: Request) => {
    handler.verifier.verify(req.get(IDENTITY_HEADER));
    requireSecret(String(req.params.secret), handler.secrets);
  };
  serveTo(router, endpoint, { authenticate, answer: handler.answer });
  serveTo(router, probeOf(endpoint), { authenticate, answer: async () => ({ data: { received: 0 } }) });
}

function requireSecret(given: string, accepted: readonly string[]): void {
  // The code compares all secrets, so that the duration does not reveal which secret matched.
  const same = accepted.filter((secret) => isSame(given, secret));
  if (same.length === 0) throw new Refusal('missing', 'NOT_FOUND', 'there is nothing at this path');
}

/**
 * Compares digests of the two texts, so that the duration reveals neither the length of the secret nor its
 * first wrong letter.
 */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
