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
 * Our side of BACEN's API Pix 2.9.0. Every method refuses with PROVIDER_UNAVAILABLE when the outcome is
 * unknown, and with PROVIDER_ERROR when the answer is of no use.
 */
export interface PixClient {
  /**
   * Makes the charge known under its own txid; doing so again changes nothing. Answers its copy-and-paste
   * code. Nothing leaves that the gate refuses.
   */
  register(charge: ChargeFields, expiresInSeconds: number, gate: Gate): Promise<string>;
  /** Returns the charge as the provider knows it; null when it has none. */
  find(txid: string): Promise<ProviderCharge | null>;
  /** Takes an unpaid charge back. False: the provider did not do it; ask why with `find`. */
  remove(txid: string): Promise<boolean>;
  /** True where this provider returns money through its API. */
  supportsRefunds: boolean;
  /**
   * Returns money of a payment under an id of ours; asked twice with one id, it is returned once. Nothing leaves that the
   * gate refuses.
   */
  refund(order: RefundOrder, gate: Gate): Promise<RefundOutcome>;
  /** Returns the state of a refund; null when the provider has none. */
  findRefund(name: RefundName): Promise<FoundRefund | null>;
  /** Lists all Pix received by our key, page by page. An item of an unknown shape is left out. */
  listPayments(period: Period): AsyncIterable<ListedPixReceipt[]>;
  findInfraction(id: string): Promise<Infraction | null>;
  /** Lists page by page; a provider without this list has none. */
  listInfractions(period: Period): AsyncIterable<Infraction[]>;
  /**
   * Returns false, and logs, when the provider refuses the file, takes none, or does not know the infraction. For an
   * unknown infraction `sendDefense` fails too.
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

/** The Pix provider of each environment. */
export type PixProviders = (scope: ProviderScope) => PixClient;

export function pixProviders(clients: Partial<Record<Environment, ClientFor<PixClient>>>): PixProviders {
  return perEnvironment('Pix provider', clients);
}
