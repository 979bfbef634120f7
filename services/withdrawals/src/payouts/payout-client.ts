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
  /** Our id; the provider pays each once. */
  id: string;
  amount: Cents;
  pixKey: string;
}

/**
 * A provider that sends Pix. Every method refuses with PROVIDER_UNAVAILABLE when the outcome is unknown, and
 * with PROVIDER_ERROR when the answer is unusable, which leaves it unknown, too.
 */
export interface PayoutClient {
  /** Our key that pays. The account of another key does not have our ids. */
  payingPixKey: string;
  /** Orders a payout; a repeat with the same id is paid once. Sends nothing that the gate refuses. */
  order(payout: OrderedPayout, gate: Gate): Promise<OrderOutcome>;
  /** Finds a payout; null: the provider has none with this id. */
  find(payout: OrderedPayout): Promise<FoundOutcome | null>;
}

/** PROVIDER_ERROR: the provider has paid what was not ordered. */
export class AnotherAmount extends Refusal {
  readonly paid: { reference: string | null; amount: Cents };

  constructor(paid: AnotherAmount['paid']) {
    super('provider_fault', 'PROVIDER_ERROR', 'the payout provider says that it has paid another amount');
    this.name = 'AnotherAmount';
    this.paid = paid;
  }
}

/** Selects the client of an environment. */
export type PayoutProviders = (scope: ProviderScope) => PayoutClient;

export function payoutProviders(
  clients: Partial<Record<Environment, ClientFor<PayoutClient>>>,
): PayoutProviders {
  return perEnvironment('payout provider', clients);
}
