import { createPeerClient, type PeerClient, type Signer } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

const TIMEOUT_MS = 3_000;

/** Asks the gateway's own side, in this service's name. `unknown`: what a caller reads when it does not answer. */
export function createAskGateway(
  { gatewayUrl: baseUrl, signer }: { gatewayUrl: string; signer: Signer },
  unknown: string,
): PeerClient['ask'] {
  const unanswered = () => new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${unknown}; try again`);
  return createPeerClient({ service: 'gateway', baseUrl, signer, timeoutMs: TIMEOUT_MS, unanswered }).ask;
}
