import { type Environment, perEnvironment } from '@plataforma/kernel';
import type { AcquirerClient } from './acquirer-client.ts';

/** The card acquirer of each environment. */
export type Acquirers = (environment: Environment) => AcquirerClient;

export function acquirers(clients: Partial<Record<Environment, AcquirerClient>>): Acquirers {
  return perEnvironment('card acquirer', clients);
}
