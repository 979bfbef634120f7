import { json } from 'node:stream/consumers';
import { createVerifier, IDENTITY_HEADER, trustedKeys } from '@plataforma/http';
import { type Loopback, startLoopback } from '@plataforma/testing';
import { z } from 'zod';
import { ownKeys } from './identity.ts';

const querySchema = z.strictObject({
  merchantId: z.uuid(),
  environment: z.enum(['production', 'sandbox']),
  kind: z.enum(['charge_paid', 'refund_refused', 'dispute_won']),
  references: z.array(z.uuid()),
});

export interface FakeCharges extends Loopback {
  record(merchantId: string, credit: { kind: string; reference: string; amount: number }): void;
  answers(isAnswering: boolean): void;
}

/** Starts a fake charges service with one route, which sums the credits that the service has recorded. */
export async function startFakeCharges(): Promise<FakeCharges> {
  const verifier = createVerifier('charges', trustedKeys.parse(ownKeys));
  const credits = new Map<string, number>();
  let isAnswering = true;
  const server = await startLoopback(async (request, response) => {
    const { issuer } = verifier.verify(String(request.headers[IDENTITY_HEADER]));
    const { merchantId, kind, references } = querySchema.parse(await json(request));
    const found = references.flatMap((reference) => credits.get(`${merchantId} ${kind} ${reference}`) ?? []);
    const data = { count: found.length, amount: found.reduce((sum, amount) => sum + amount, 0) };
    const status = isAnswering && issuer === 'withdrawals' ? 200 : 503;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: status === 200, data }));
  });
  return {
    ...server,
    record: (merchantId, { kind, reference, amount }) =>
      void credits.set(`${merchantId} ${kind} ${reference}`, amount),
    answers: (now) => {
      isAnswering = now;
    },
  };
}
