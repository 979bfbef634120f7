import type { Gate, ProviderExchange } from '@plataforma/http';
import { type ClientFor, type Environment, type ProviderScope, perEnvironment } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { ProviderCharge } from '../domain/payment.ts';
import type { FoundRefund, RefundOutcome } from '../domain/refund-outcome.ts';
import { type ChargeFields, createPixCharges } from './pix-charges.ts';
import { createPixExchange, type PixAccount } from './pix-http.ts';
import { createPixInfractions, type Defense, type DefenseFile, type Infraction } from './pix-infractions.ts';
import { createPixPages, type Period } from './pix-pages.ts';
import { createPixPayments, type ListedPixReceipt } from './pix-payments.ts';
import { createPixRefunds, type RefundName, type RefundOrder } from './pix-refunds.ts';

export type { PixAccount } from './pix-http.ts';
export type { Infraction, ListedPixReceipt };

/**
 * A client of BACEN's API Pix 2.9.0. Every method throws PROVIDER_UNAVAILABLE when the outcome is unknown,
 * and PROVIDER_ERROR when the provider's answer cannot be used.
 */
export interface PixClient {
  /**
   * Registers the charge under its txid and returns its copy-and-paste code. A second registration changes
   * nothing. Sends nothing when the gate refuses, for example during an operator's stop.
   */
  register(charge: ChargeFields, expiresInSeconds: number, gate: Gate): Promise<string>;
  /** Returns the charge as the provider has it, or null when the provider does not know it. */
  find(txid: string): Promise<ProviderCharge | null>;
  /**
   * Removes an unpaid charge. Returns false when the provider did not remove the charge. The status that
   * `find` returns then shows the reason.
   */
  remove(txid: string): Promise<boolean>;
  supportsRefunds: boolean;
  /** Refunds a payment or a part of it, and only once for each id. Sends nothing when the gate refuses. */
  refund(order: RefundOrder, gate: Gate): Promise<RefundOutcome>;
  /** Returns the state of a refund, or null when the provider does not know it. */
  findRefund(name: RefundName): Promise<FoundRefund | null>;
  /** Lists all Pix received with the platform's key, page by page. Leaves out items of an unknown shape. */
  listPayments(period: Period): AsyncIterable<ListedPixReceipt[]>;
  findInfraction(id: string): Promise<Infraction | null>;
  /** Lists infractions page by page. The list is empty for a provider without this API. */
  listInfractions(period: Period): AsyncIterable<Infraction[]>;
  /**
   * Sends a file. Logs and returns false when the provider refuses the file, accepts no files, or does not
   * know the infraction. For an unknown infraction, `sendDefense` then fails.
   */
  sendDefenseFile(id: string, file: DefenseFile): Promise<boolean>;
  sendDefense(id: string, defense: Defense): Promise<void>;
}

export function createPixClient(
  account: PixAccount,
  { log, send = createPixExchange(account) }: { log: Log; send?: ProviderExchange },
): PixClient {
  const http = { send };
  const pages = createPixPages(http, log);
  return {
    supportsRefunds: account.supportsRefunds,
    ...createPixCharges(http, account),
    ...createPixRefunds(http),
    ...createPixPayments(pages),
    ...createPixInfractions(http, pages, log),
  };
}

export type PixProviders = (scope: ProviderScope) => PixClient;

export function pixProviders(clients: Partial<Record<Environment, ClientFor<PixClient>>>): PixProviders {
  return perEnvironment('Pix provider', clients);
}
