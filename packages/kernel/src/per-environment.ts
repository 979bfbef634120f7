import type { Environment } from './environment.ts';
import { Refusal } from './refusal.ts';

/** Refuses with PROVIDER_UNAVAILABLE for an environment that has none configured; `what` names them. */
export function perEnvironment<Client>(what: string, clients: Partial<Record<Environment, Client>>) {
  return (environment: Environment): Client => {
    const client = clients[environment];
    if (client) return client;
    throw new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', `no ${what} is configured for ${environment}`);
  };
}
