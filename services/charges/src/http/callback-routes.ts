import { createHash, timingSafeEqual } from 'node:crypto';
import { type Database, type Log, type Router, servePublic, type Verifier } from '@plataforma/chassis';
import { callbacks } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { confirmPayment } from '../operations/confirm-payment.ts';
import type { PixProviders } from '../pix/providers.ts';

interface CallbackRoutes {
  verifier: Verifier;
  database: Database;
  pix: PixProviders;
  log: Log;
  /** The part of the address that only the provider knows. */
  secret: string;
}

/** What we name charges by; a notice of any other Pix is none of ours. */
const TXID = /^[a-zA-Z0-9]{26,35}$/;
const CONFIRMED_AT_ONCE = 8;

/** A notice is answered after its charges are settled: a provider that hears no 200 tells us again. */
export function callbackRoutes(router: Router, { verifier, secret, ...parts }: CallbackRoutes): void {
  for (const endpoint of Object.values(callbacks)) {
    servePublic(router, endpoint, {
      verifier,
      answer: async ({ params, body }) => {
        if (!isSame(params.secret, secret))
          throw new Refusal('missing', 'NOT_FOUND', 'there is nothing at this path');
        const txids = new Set(body.pix.flatMap(({ txid }) => (txid && TXID.test(txid) ? txid : [])));
        await confirmAll(parts, [...txids]);
        return { data: { received: txids.size } };
      },
    });
  }
}

/**
 * One charge that can't be confirmed now holds up no other of the same notice, and the provider tells us
 * again.
 */
async function confirmAll(
  parts: Pick<CallbackRoutes, 'database' | 'pix' | 'log'>,
  txids: readonly string[],
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < txids.length; start += CONFIRMED_AT_ONCE) {
    const some = txids.slice(start, start + CONFIRMED_AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((txid) => confirmPayment(parts, txid)));
    failures.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}

/** Compares digests, so that neither the length nor the first wrong letter shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
