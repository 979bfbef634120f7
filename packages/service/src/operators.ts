import { operatorRoles } from '@plataforma/contracts';
import { createPeerClient, type PeerClient, type Signer } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { z } from 'zod';

const TIMEOUT_MS = 3_000;

/** Asks the gateway's own side, in this service's name. `unknown`: what a caller reads when it does not answer. */
export function createAskGateway(
  { gatewayUrl: baseUrl, signer }: { gatewayUrl: string; signer: Signer },
  unknown: string,
): PeerClient['ask'] {
  const unanswered = () => new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${unknown}; try again`);
  return createPeerClient({ service: 'gateway', baseUrl, signer, timeoutMs: TIMEOUT_MS, unanswered }).ask;
}

/** The gateway's list of operators with access. */
const activeOperators = z.array(z.object({ id: z.uuid(), role: z.enum(operatorRoles) }));

export type ActiveOperators = () => Promise<z.infer<typeof activeOperators>>;

/** Asks the gateway each time, whose operators are. Refuses with SERVICE_UNAVAILABLE when it does not answer. */
export function createOperatorDirectory(of: { gatewayUrl: string; signer: Signer }): ActiveOperators {
  const ask = createAskGateway(of, 'it is not known at this moment who the operators are');
  return () => ask('/internal/operators', activeOperators);
}
