import type { Gate, ProviderExchange } from '@plataforma/http';
import { type ClientFor, type Environment, type ProviderScope, perEnvironment } from '@plataforma/kernel';
import type { CardOutcome } from '../domain/card-outcome.ts';
import type { FoundRefund, RefundOutcome } from '../domain/refund-outcome.ts';
import { type AcquirerCharge, type CardRefund, createAcquirerCharges } from './acquirer-charges.ts';
import { type AcquirerAccount, createAcquirerHttp } from './acquirer-http.ts';
import type { CardOrder } from './card-order.ts';
import { createCardOrders } from './card-orders.ts';

/**
 * Our side of a card acquirer. Every method refuses with PROVIDER_UNAVAILABLE when the outcome is unknown,
 * and with PROVIDER_ERROR when the answer is of no use.
 */
export interface AcquirerClient {
  publicKey: string;
  tokenizeUrl: string;
  /**
   * Charges the card at once; asked twice with one id, it does it once. Refuses with VALIDATION_ERROR when the
   * token is of no use. Nothing leaves that the gate refuses.
   */
  pay(order: CardOrder, gate: Gate): Promise<CardOutcome>;
  /** Returns the outcome of the order with our id; null when the acquirer does not know it. */
  find(chargeId: string): Promise<CardOutcome | null>;
  inspect(acquirerId: string): Promise<AcquirerCharge | null>;
  /**
   * Gives money back to the card; asked twice with one refund id, it does it once. One refund a charge: what
   * was cancelled of it before counts as this one. Nothing leaves that the gate refuses.
   */
  refund(refund: CardRefund, gate: Gate): Promise<RefundOutcome>;
  /** How far the refund of a charge is; null when nothing of it can be seen. */
  findRefund(refund: Omit<CardRefund, 'refundId'>): Promise<FoundRefund | null>;
  /** Charges created in [from, to), page by page. */
  list(period: { from: Date; to: Date }): AsyncIterable<AcquirerCharge[]>;
}

/** An acquirer that speaks as Pagar.me v5 does. */
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

/** The card acquirer of each environment. */
export type Acquirers = (scope: ProviderScope) => AcquirerClient;

export function acquirers(clients: Partial<Record<Environment, ClientFor<AcquirerClient>>>): Acquirers {
  return perEnvironment('card acquirer', clients);
}
