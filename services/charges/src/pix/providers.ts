import { type Environment, perEnvironment } from '@plataforma/kernel';
import type { PixClient } from './pix-client.ts';

/** The Pix provider of each environment. */
export type PixProviders = (environment: Environment) => PixClient;

export function pixProviders(clients: Partial<Record<Environment, PixClient>>): PixProviders {
  return perEnvironment('Pix provider', clients);
}
