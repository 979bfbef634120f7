import { api, type Endpoint } from '@plataforma/contracts';
import type { Clock } from '@plataforma/kernel';
import { decidersIn, inReais, proposedAction } from '@plataforma/service';
import { z } from 'zod';
import { type EndRequest, endIn } from './operations/end-by-operator.ts';

const shown = {
  ...{ id: z.uuid(), merchantId: z.uuid(), amount: z.int() },
  /** Whether the service had not started the TED when the operator proposed its end. */
  isUnstarted: z.boolean().optional(),
};
const completion = z.object({ ...shown, providerTxId: z.string() });
const failure = z.object({ ...shown, reason: z.string(), bankReference: z.string() });

type Shown = z.infer<z.ZodObject<typeof shown>>;

interface TedEnd<Given extends Shown> {
  step: 'complete' | 'fail';
  endpoint: Endpoint;
  schema: z.ZodType<Given>;
  effect: (given: Given) => string;
}

/**
 * Creates the actions that end a TED with two operators. A second operator is needed above a sum of the day,
 * or for a TED that the service had not started.
 */
export function tedActions(clock: Clock) {
  const action = <Given extends Shown>({ step, ...definition }: TedEnd<Given>) =>
    proposedAction({
      name: `withdrawal.${step}`,
      ...definition,
      execute: (tx, given, decision) => {
        const request = { ...given, step, by: { operatorId: decision.operatorId } } as EndRequest & Given;
        return endIn(tx, clock, request, decidersIn(decision));
      },
    });
  return {
    complete: action({
      ...{ step: 'complete', endpoint: api.completeWithdrawal, schema: completion },
      effect: ({ providerTxId, ...ted }) =>
        `Record that ${tedIn(ted)} was paid, with the bank’s number “${providerTxId}”.${warningOf(ted)}`,
    }),
    fail: action({
      ...{ step: 'fail', endpoint: api.failWithdrawal, schema: failure },
      effect: ({ bankReference, reason, ...ted }) =>
        `Return ${tedIn(ted)} to its balance, by the bank’s document “${bankReference}” (${reason}).${warningOf(ted)}`,
    }),
  };
}

function tedIn({ amount, merchantId }: Shown): string {
  return `the TED of ${inReais(amount)} of the merchant ${merchantId}`;
}

function warningOf({ isUnstarted }: Shown): string {
  return isUnstarted
    ? ' The platform had not given this TED to operators, for example because of a stop.'
    : '';
}
