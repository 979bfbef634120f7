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

/** A notice is answered after its charges are settled: a provider that hears no 200 tells us again. */
export function callbackRoutes(router: Router, { verifier, secret, ...parts }: CallbackRoutes): void {
  for (const endpoint of Object.values(callbacks)) {
    servePublic(router, endpoint, {
      verifier,
      answer: async ({ params, body }) => {
        if (!isSame(params.secret, secret))
          throw new Refusal('missing', 'NOT_FOUND', 'there is nothing at this path');
        const txids = new Set(body.pix.flatMap(({ txid }) => txid ?? []));
        for (const txid of txids) await confirmPayment(parts, txid);
        return { data: { received: txids.size } };
      },
    });
  }
}

/** Compares digests, so that neither the length nor the first wrong letter shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
