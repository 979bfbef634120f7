import type { Environment } from './environment.ts';
import { Refusal } from './refusal.ts';

/** The scope of a provider's client: a merchant in an environment, or the whole environment. */
export interface ProviderScope {
  environment: Environment;
  merchantId?: string | null | undefined;
}

export type ClientFor<Client> = (merchantId?: string | null) => Client;

/**
 * Returns a function that selects the environment's client. It throws PROVIDER_UNAVAILABLE when the
 * environment has no client; the error message names the `subject`.
 */
export function perEnvironment<Client>(
  subject: string,
  clients: Partial<Record<Environment, ClientFor<Client>>>,
) {
  return ({ environment, merchantId }: ProviderScope): Client => {
    const clientFor = clients[environment];
    if (clientFor) return clientFor(merchantId);
    throw new Refusal(
      'unavailable',
      'PROVIDER_UNAVAILABLE',
      `no ${subject} is configured for ${environment}`,
    );
  };
}
