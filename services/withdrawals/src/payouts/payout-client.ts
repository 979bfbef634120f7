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
  /** The platform's id of the payout. The provider pays each id only once. */
  id: string;
  amount: Cents;
  pixKey: string;
}

/**
 * A client of a provider that sends Pix. Each method throws PROVIDER_UNAVAILABLE if the provider does not
 * answer, and PROVIDER_ERROR if its answer cannot be used. The outcome is unknown in both cases.
 */
export interface PayoutClient {
  /**
   * The platform's Pix key from which payouts are paid. If the key changes, the provider's account of the new
   * key does not have the earlier payouts.
   */
  payingPixKey: string;
  /**
   * Sends a payout to the provider. The provider pays an id once, even if the call is repeated. Sends nothing
   * if `gate` refuses.
   */
  order(payout: OrderedPayout, gate: Gate): Promise<OrderOutcome>;
  /** Asks the provider for the state of a payout. Returns null if the provider has no payout with this id. */
  find(payout: OrderedPayout): Promise<FoundOutcome | null>;
}

/** Thrown if the provider paid an amount other than the ordered one. Its code is PROVIDER_ERROR. */
export class AnotherAmount extends Refusal {
  readonly paid: { reference: string | null; amount: Cents };

  constructor(paid: AnotherAmount['paid']) {
    super('provider_fault', 'PROVIDER_ERROR', 'the payout provider says that it has paid another amount');
    this.name = 'AnotherAmount';
    this.paid = paid;
  }
}

export type PayoutProviders<Client = PayoutClient> = (scope: ProviderScope) => Client;

export function payoutProviders<Client>(
  clients: Partial<Record<Environment, ClientFor<Client>>>,
): PayoutProviders<Client> {
  return perEnvironment('payout provider', clients);
}
