import { api } from '@plataforma/contracts';
import type { Clock } from '@plataforma/kernel';
import { decidersIn, inReais, proposedAction } from '@plataforma/service';
import { z } from 'zod';
import { disputeOutcomes, resolveIn } from './operations/resolve-dispute.ts';

const decision = z.object({
  id: z.uuid(),
  chargeId: z.uuid(),
  merchantId: z.uuid(),
  amount: z.int(),
  outcome: z.enum(disputeOutcomes),
  resolution: z.string(),
  /** The debt at the time of the proposal. A dispute's debt does not change before the decision. */
  debt: z.int().nullable(),
});

/** A decision about a dispute for which two operators are necessary (`resolveByOperator`). */
export function disputeAction(clock: Clock) {
  return proposedAction({
    ...{ name: 'dispute.resolve' as const, endpoint: api.resolveDispute, schema: decision },
    effect: ({ amount, chargeId, merchantId, outcome, resolution }) => {
      const receiver = outcome === 'CUSTOMER' ? 'the payer' : `the merchant ${merchantId}`;
      return `Give the disputed ${inReais(amount)} of the charge ${chargeId} to ${receiver} (${resolution}).`;
    },
    execute: async (tx, { debt, ...given }, decided) => {
      const by = { operatorId: decided.operatorId };
      const { dispute } = await resolveIn(tx, clock, { ...given, by, debt, deciders: decidersIn(decided) });
      return dispute;
    },
  });
}
