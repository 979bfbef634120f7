import { type Environment, Refusal } from '@plataforma/kernel';
import type { PixClient } from './pix-client.ts';

/** The Pix provider of each environment. */
export type PixProviders = (environment: Environment) => PixClient;

/** Refuses with PROVIDER_UNAVAILABLE for an environment that has no provider configured. */
export function pixProviders(clients: Partial<Record<Environment, PixClient>>): PixProviders {
  return (environment) => {
    const client = clients[environment];
    if (client) return client;
    throw new Refusal(
      'unavailable',
      'PROVIDER_UNAVAILABLE',
      `no Pix provider is configured for ${environment}`,
    );
  };
}
