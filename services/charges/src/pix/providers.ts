import { type ClientFor, type Environment, perEnvironment, type Whose } from '@plataforma/kernel';
import type { PixClient } from './pix-client.ts';

/** The Pix provider of each environment. */
export type PixProviders = (whose: Whose) => PixClient;

export function pixProviders(clients: Partial<Record<Environment, ClientFor<PixClient>>>): PixProviders {
  return perEnvironment('Pix provider', clients);
}
