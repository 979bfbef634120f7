import { createPeerClient, type Signer } from '@plataforma/http';
import type { Cents, Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';
import {
  isDebited,
  proofOf,
  type RefundDebit,
  refundDebit,
  type WithdrawalDebit,
  withdrawalDebit,
} from './debits.ts';
import { type BookedPayment, type PaymentsOfPeriod, pagesOf } from './payments.ts';
import { type WalletProof, walletProof } from './proofs.ts';

/**
 * A client of the ledger for other services. Each method throws SERVICE_UNAVAILABLE if the outcome of the
 * request is unknown. It throws a plain Error if the ledger refuses the caller, or has an entry with the same
 * id and other facts. Only a defect can cause a plain Error.
 */
export interface LedgerClient {
  /**
   * Debits a refund once, even if the call is repeated with the same id. Returns false if the balance does
   * not cover the refund.
   */
  debitRefund(debit: RefundDebit): Promise<boolean>;
  /**
   * Debits a withdrawal once, even if the call is repeated with the same id. Returns false if the balance
   * does not cover it; every later call with this id then also returns false. Throws OrderRefused if the
   * gateway did not sign the order.
   */
  debitWithdrawal(debit: WithdrawalDebit): Promise<boolean>;
  /**
   * Repeats a debit that the ledger has lost. A refusal is not stored, except by a ledger of the previous
   * release. `decision` is the gateway's token for the operator's decision.
   */
  debitWithdrawalAgain(debit: WithdrawalDebit, decision: string | null): Promise<boolean>;
  withdrawable(tenant: Tenant): Promise<Cents>;
  /**
   * Returns the money that can pay a refund: the merchant's withdrawable cents, and the cents of the charge
   * that are not settled yet.
   */
  refundable(tenant: Tenant, chargeId: string): Promise<Refundable>;
  /**
   * Returns the cents that the merchant's reserve did not cover in a dispute. Returns null while the ledger
   * has not recorded the dispute.
   */
  disputeDebt(tenant: Tenant, disputeId: string): Promise<Cents | null>;
  /**
   * Returns one page of the entries in a wallet's hash chain after the sequence number `after`, and the debit
   * of the withdrawal.
   */
  proveWallet(tenant: Tenant, page: { after: number; withdrawalId: string }): Promise<WalletProof>;
  /** Yields the payments from `from` (inclusive) to `to` (exclusive), one page at a time. */
  payments(period: PaymentsOfPeriod): AsyncIterable<BookedPayment[]>;
}

interface LedgerOptions {
  url: string;
  /** Signs each request as the calling service. */
  signer: Signer;
  /** The time limit for a request until its whole response has arrived. */
  timeoutMs: number;
}

const wallet = z.object({ withdrawable: z.int() });
const refundable = wallet.extend({ pending: z.int(), isBooked: z.boolean() });

const disputeDebt = z.object({ debt: z.int().nonnegative().nullable() });

/**
 * `pending` is the cents of the charge that are not settled yet. `isBooked` is true if the ledger has
 * recorded the charge's payment.
 */
type Refundable = z.infer<typeof refundable>;

export function createLedgerClient({ url, signer, timeoutMs }: LedgerOptions): LedgerClient {
  const peer = { service: 'ledger', baseUrl: url, signer, timeoutMs, unanswered: unavailable };
  const ledger = createPeerClient(peer);
  const debit = async (path: string, body: { id: string }, headers?: Record<string, string>) =>
    isDebited(await ledger.send({ method: 'POST', path, body, headers }), body.id);
  return {
    debitRefund: (refund) => debit('/internal/refunds', refundDebit(refund)),
    debitWithdrawal: (withdrawal) =>
      debit('/internal/withdrawals', withdrawalDebit(withdrawal), proofOf(withdrawal)),
    // `again` is in the query and not in the body, because a ledger of the previous release refuses unknown
    // fields in a body.
    debitWithdrawalAgain: (withdrawal, decision) =>
      debit('/internal/withdrawals?again=true', withdrawalDebit(withdrawal), proofOf(withdrawal, decision)),
    async withdrawable({ merchantId, environment }) {
      const query = new URLSearchParams({ merchantId, environment });
      return (await ledger.ask(`/internal/withdrawable?${query}`, wallet)).withdrawable;
    },
    refundable({ merchantId, environment }, chargeId) {
      const query = new URLSearchParams({ merchantId, environment, chargeId });
      return ledger.ask(`/internal/refundable?${query}`, refundable);
    },
    async disputeDebt({ merchantId, environment }, disputeId) {
      const query = new URLSearchParams({ merchantId, environment, disputeId });
      return (await ledger.ask(`/internal/dispute-debt?${query}`, disputeDebt)).debt;
    },
    proveWallet({ merchantId, environment }, { after, withdrawalId }) {
      const query = new URLSearchParams({ merchantId, environment, withdrawalId, after: String(after) });
      return ledger.ask(`/internal/wallet-proof?${query}`, walletProof);
    },
    payments: (period) => pagesOf((path) => ledger.send({ method: 'GET', path }), period),
  };
}
