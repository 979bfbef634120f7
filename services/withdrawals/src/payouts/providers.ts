import { type ClientFor, type Environment, perEnvironment, type Whose } from '@plataforma/kernel';
import type { PayoutClient } from './payout-provider.ts';

/** The payout provider of each environment. */
export type PayoutProviders = (whose: Whose) => PayoutClient;

export function payoutProviders(
  clients: Partial<Record<Environment, ClientFor<PayoutClient>>>,
): PayoutProviders {
  return perEnvironment('payout provider', clients);
}
