import { createPeerClient, type Signer } from '@plataforma/http';
import type { Cents, Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';
import { isDebited, type RefundDebit, refundDebit, type WithdrawalDebit, withdrawalDebit } from './debits.ts';
import { type BookedPayment, type PaymentsOfPeriod, pagesOf } from './payments.ts';
import { type WalletProof, walletProof } from './proofs.ts';

/**
 * A client of the ledger for other services. Each method throws SERVICE_UNAVAILABLE while the outcome is
 * unknown. It throws an Error for a definite answer that only a defect causes: the books have other facts
 * under this id, or refuse the caller.
 */
export interface LedgerClient {
  /** Debits a refund once for each id. Returns false if the balance did not cover it. */
  debitRefund(debit: RefundDebit): Promise<boolean>;
  /** Debits a withdrawal once for each id. False is final for this id. */
  debitWithdrawal(debit: WithdrawalDebit): Promise<boolean>;
  /** Repeats a debit that the ledger lost. Only a ledger of the previous release stores a refusal. */
  debitWithdrawalAgain(debit: WithdrawalDebit): Promise<boolean>;
  /** Returns the cents that a merchant could withdraw now. */
  withdrawable(tenant: Tenant): Promise<Cents>;
  /** Returns the withdrawable cents and the state of a charge, from which a refund can be debited. */
  refundable(tenant: Tenant, chargeId: string): Promise<Refundable>;
  /** Returns the cents that the reserve of a dispute lacked; null while the books do not have the dispute. */
  disputeDebt(tenant: Tenant, disputeId: string): Promise<Cents | null>;
  /** Returns a page of a wallet's chain after the entry `after`, and the debit of this withdrawal. */
  proveWallet(tenant: Tenant, page: { after: number; withdrawalId: string }): Promise<WalletProof>;
  /** Lists the payments of a period [from, to), page by page. */
  payments(period: PaymentsOfPeriod): AsyncIterable<BookedPayment[]>;
}

interface LedgerOptions {
  url: string;
  /** Signs in the name of the calling service. */
  signer: Signer;
  /** The timeout of a request with its whole response. */
  timeoutMs: number;
}

const wallet = z.object({ withdrawable: z.int() });
const refundable = wallet.extend({ pending: z.int(), isBooked: z.boolean() });

const disputeDebt = z.object({ debt: z.int().nonnegative().nullable() });

/** `pending`: cents of the charge that are still to settle. `isBooked`: the books have its payment. */
type Refundable = z.infer<typeof refundable>;

export function createLedgerClient({ url, signer, timeoutMs }: LedgerOptions): LedgerClient {
  const peer = { service: 'ledger', baseUrl: url, signer, timeoutMs, unanswered: unavailable };
  const ledger = createPeerClient(peer);
  const debit = async (path: string, body: { id: string }) =>
    isDebited(await ledger.send({ method: 'POST', path, body }), body.id);
  return {
    debitRefund: (refund) => debit('/internal/refunds', refundDebit(refund)),
    debitWithdrawal: (withdrawal) => debit('/internal/withdrawals', withdrawalDebit(withdrawal)),
    // The query has this field, because a ledger of the previous release refuses unknown fields in a body.
    debitWithdrawalAgain: (withdrawal) =>
      debit('/internal/withdrawals?again=true', withdrawalDebit(withdrawal)),
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
