import type { Signer } from '@plataforma/http';
import { z } from 'zod';
import { createAskGateway } from './operators.ts';

/**
 * A decision about money that an operator would make alone. The operator's and the merchant's sums of such
 * decisions in a São Paulo day, including this one, may not exceed `limit`.
 */
export const loneDecision = z.object({
  subjectId: z.uuid(),
  action: z.string().min(1).max(64),
  operatorId: z.uuid(),
  merchantId: z.uuid(),
  /** `amount` and `limit` are in cents. */
  amount: z.int().positive(),
  limit: z.int().nonnegative(),
});
export type LoneDecision = z.infer<typeof loneDecision>;

const counted = z.object({ isCounted: z.boolean() });

/**
 * Returns true and counts the decision if the operator may decide alone. A repeated question about the same
 * decision counts once. Throws SERVICE_UNAVAILABLE when the gateway does not answer.
 */
export type CountDecision = (decision: LoneDecision) => Promise<boolean>;

export function createOperatorSums(of: { gatewayUrl: string; signer: Signer }): CountDecision {
  const ask = createAskGateway(of, 'the operators’ sums of the day are not available at the moment');
  return async (decision) => (await ask('/internal/operator-sums', counted, decision)).isCounted;
}
