import type { Environment } from './environment.ts';
import { Refusal } from './refusal.ts';

/** Whose call it is: a merchant's, or of an environment as a whole. */
export interface Whose {
  environment: Environment;
  merchantId?: string | null | undefined;
}

/** The client for whoever's call it is. */
export type ClientFor<Client> = (merchantId?: string | null) => Client;

/** Refuses with PROVIDER_UNAVAILABLE for an environment that has none configured; `what` names them. */
export function perEnvironment<Client>(
  what: string,
  clients: Partial<Record<Environment, ClientFor<Client>>>,
) {
  return ({ environment, merchantId }: Whose): Client => {
    const clientFor = clients[environment];
    if (clientFor) return clientFor(merchantId);
    throw new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', `no ${what} is configured for ${environment}`);
  };
}
