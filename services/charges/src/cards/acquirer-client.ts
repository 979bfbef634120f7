import type { Gate, ProviderExchange } from '@plataforma/http';
import { type ClientFor, type Environment, type ProviderScope, perEnvironment } from '@plataforma/kernel';
import type { CardOutcome } from '../domain/card-outcome.ts';
import type { FoundRefund, RefundOutcome } from '../domain/refund-outcome.ts';
import { type AcquirerCharge, type CardRefund, createAcquirerCharges } from './acquirer-charges.ts';
import { type AcquirerAccount, createAcquirerHttp } from './acquirer-http.ts';
import type { CardOrder } from './card-order.ts';
import { createCardOrders } from './card-orders.ts';

/**
 * A client of a card acquirer. Every method throws PROVIDER_UNAVAILABLE when the outcome is unknown, and
 * PROVIDER_ERROR when the acquirer's answer cannot be used.
 */
export interface AcquirerClient {
  publicKey: string;
  tokenizeUrl: string;
  /**
   * Charges the card at once, and only once for each order id. Throws VALIDATION_ERROR when the token is
   * unknown, used or expired. Sends nothing when the gate refuses, for example during an operator's stop.
   */
  pay(order: CardOrder, gate: Gate): Promise<CardOutcome>;
  /** Returns the outcome of the order for this charge, or null when the acquirer does not know the order. */
  find(chargeId: string): Promise<CardOutcome | null>;
  inspect(acquirerId: string): Promise<AcquirerCharge | null>;
  /**
   * Refunds the card once for each refund id. A charge has only one refund, so an amount that the acquirer
   * already shows as cancelled belongs to this refund. Sends nothing when the gate refuses.
   */
  refund(refund: CardRefund, gate: Gate): Promise<RefundOutcome>;
  /** Returns the progress of a charge's refund, or null when the charge shows no refund. */
  findRefund(refund: Omit<CardRefund, 'refundId'>): Promise<FoundRefund | null>;
  /** Lists charges created from `from` until before `to`, page by page. */
  list(period: { from: Date; to: Date }): AsyncIterable<AcquirerCharge[]>;
}

/** Creates a client of an acquirer with the API of Pagar.me v5. */
export function createAcquirerClient(
  account: AcquirerAccount,
  http: ProviderExchange = createAcquirerHttp(account),
): AcquirerClient {
  return {
    publicKey: account.publicKey,
    tokenizeUrl: account.tokenizeUrl,
    ...createCardOrders(http),
    ...createAcquirerCharges(http),
  };
}

export type Acquirers = (scope: ProviderScope) => AcquirerClient;

export function acquirers(clients: Partial<Record<Environment, ClientFor<AcquirerClient>>>): Acquirers {
  return perEnvironment('card acquirer', clients);
}
