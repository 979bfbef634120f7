import { operatorRoles } from '@plataforma/contracts';
import { createPeerClient, type PeerClient, type Signer } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { z } from 'zod';

const TIMEOUT_MS = 3_000;

/**
 * Creates a client for the gateway's internal routes. `unknown` is the first part of the error message when
 * the gateway does not answer.
 */
export function createAskGateway(
  { gatewayUrl: baseUrl, signer }: { gatewayUrl: string; signer: Signer },
  unknown: string,
): PeerClient['ask'] {
  const unanswered = () => new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${unknown}; try again`);
  return createPeerClient({ service: 'gateway', baseUrl, signer, timeoutMs: TIMEOUT_MS, unanswered }).ask;
}

/** A gateway of release 0.6.0 answers only `id` and `role`. */
const activeOperator = z.object({
  id: z.uuid(),
  role: z.enum(operatorRoles),
  createdAt: z.coerce.date().optional(),
  /** The operator who proposed or created this operator. */
  createdBy: z.uuid().nullish(),
  /** Whether the installation has a single operator, whose changes need no approval. */
  isSingle: z.boolean().optional(),
});
const activeOperators = z.array(activeOperator);

export type ActiveOperator = z.infer<typeof activeOperator>;
export type ActiveOperators = () => Promise<ActiveOperator[]>;

/**
 * Creates a function that returns the operators with access. It asks the gateway at each call, and refuses
 * with SERVICE_UNAVAILABLE when the gateway does not answer.
 */
export function createOperatorDirectory(of: { gatewayUrl: string; signer: Signer }): ActiveOperators {
  const ask = createAskGateway(of, 'the list of operators is not available at the moment');
  return () => ask('/internal/operators', activeOperators);
}
