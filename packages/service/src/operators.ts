import { operatorRoles } from '@plataforma/contracts';
import { createPeerClient, type PeerClient, type Signer } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { z } from 'zod';

const TIMEOUT_MS = 3_000;

/** Creates a client for the gateway's internal routes. `unknown` begins the message of an unanswered call. */
export function createAskGateway(
  { gatewayUrl: baseUrl, signer }: { gatewayUrl: string; signer: Signer },
  unknown: string,
): PeerClient['ask'] {
  const unanswered = () => new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${unknown}; try again`);
  return createPeerClient({ service: 'gateway', baseUrl, signer, timeoutMs: TIMEOUT_MS, unanswered }).ask;
}

const activeOperators = z.array(z.object({ id: z.uuid(), role: z.enum(operatorRoles) }));

export type ActiveOperators = () => Promise<z.infer<typeof activeOperators>>;

/**
 * Creates a reader of the operators with access. It asks the gateway each time, and refuses with
 * SERVICE_UNAVAILABLE without an answer.
 */
export function createOperatorDirectory(of: { gatewayUrl: string; signer: Signer }): ActiveOperators {
  const ask = createAskGateway(of, 'it is not known at this moment who the operators are');
  return () => ask('/internal/operators', activeOperators);
}
