import { type Environment, perEnvironment } from '@plataforma/kernel';
import type { PayoutClient } from './payout-provider.ts';

/** The payout provider of each environment. */
export type PayoutProviders = (environment: Environment) => PayoutClient;

export function payoutProviders(clients: Partial<Record<Environment, PayoutClient>>): PayoutProviders {
  return perEnvironment('payout provider', clients);
}
