import type { Gate } from '@plataforma/http';
import {
  type Cents,
  type ClientFor,
  type Environment,
  type ProviderScope,
  perEnvironment,
  Refusal,
} from '@plataforma/kernel';
import type { FoundOutcome, OrderOutcome } from '../domain/payout.ts';

export interface OrderedPayout {
  /** Our id. The provider pays each id once. */
  id: string;
  amount: Cents;
  pixKey: string;
}

/**
 * A provider that sends Pix. Each method throws PROVIDER_UNAVAILABLE if there is no answer, and
 * PROVIDER_ERROR if the answer is unusable. The outcome is unknown in both cases.
 */
export interface PayoutClient {
  /** Our Pix key that pays. The account of another key does not have our ids. */
  payingPixKey: string;
  /** Orders a payout. A repeat with the same id is paid once. Sends nothing if the gate refuses. */
  order(payout: OrderedPayout, gate: Gate): Promise<OrderOutcome>;
  /** Finds a payout; null if the provider has none with this id. */
  find(payout: OrderedPayout): Promise<FoundOutcome | null>;
}

/** PROVIDER_ERROR: the provider has paid an amount that was not ordered. */
export class AnotherAmount extends Refusal {
  readonly paid: { reference: string | null; amount: Cents };

  constructor(paid: AnotherAmount['paid']) {
    super('provider_fault', 'PROVIDER_ERROR', 'the payout provider says that it has paid another amount');
    this.name = 'AnotherAmount';
    this.paid = paid;
  }
}

export type PayoutProviders = (scope: ProviderScope) => PayoutClient;

export function payoutProviders(
  clients: Partial<Record<Environment, ClientFor<PayoutClient>>>,
): PayoutProviders {
  return perEnvironment('payout provider', clients);
}
