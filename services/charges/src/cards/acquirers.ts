import { type ClientFor, type Environment, perEnvironment, type Whose } from '@plataforma/kernel';
import type { AcquirerClient } from './acquirer-client.ts';

/** The card acquirer of each environment. */
export type Acquirers = (whose: Whose) => AcquirerClient;

export function acquirers(clients: Partial<Record<Environment, ClientFor<AcquirerClient>>>): Acquirers {
  return perEnvironment('card acquirer', clients);
}
