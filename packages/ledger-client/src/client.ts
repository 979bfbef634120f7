import { createPeerClient, type Signer } from '@plataforma/http';
import type { Cents, Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';
import { type RefundDebit, refundDebit, takenBy, type WithdrawalDebit, withdrawalDebit } from './debits.ts';
import { type BookedPayment, type PaymentsOfPeriod, pagesOf } from './payments.ts';
import { type WalletProof, walletProof } from './proofs.ts';

/**
 * The ledger's own side, as other services speak to it. While it is unknown whether it did what it was asked, every
 * method refuses with SERVICE_UNAVAILABLE. Any other definite answer of the ledger is no refusal but a defect of ours,
 * an Error: the books have other facts under this id, or don't know us.
 */
export interface LedgerClient {
  /** Whether the money for a refund was taken; false: the balance did not cover it. Asked twice with one id, it is taken once. */
  debitRefund(debit: RefundDebit): Promise<boolean>;
  /** The same for a withdrawal; what was not covered never will be, for this id. */
  debitWithdrawal(debit: WithdrawalDebit): Promise<boolean>;
  /** The same for one that was debited before; a refusal is not remembered, but by a ledger of the release before. */
  debitWithdrawalAgain(debit: WithdrawalDebit): Promise<boolean>;
  /** What a merchant could withdraw at this moment. */
  withdrawable(tenant: Tenant): Promise<Cents>;
  /** What a refund of this charge could be taken from at this moment. */
  refundable(tenant: Tenant, chargeId: string): Promise<Refundable>;
  /** Cents that the reserve of a dispute lacked; null while the books do not have the dispute. */
  disputeDebt(tenant: Tenant, disputeId: string): Promise<Cents | null>;
  /** What the chain of a wallet has behind the entry `after`, and what this withdrawal took from it. */
  proveWallet(tenant: Tenant, page: { after: number; withdrawalId: string }): Promise<WalletProof>;
  /** What was received in a period [from, to), page by page. */
  payments(period: PaymentsOfPeriod): AsyncIterable<BookedPayment[]>;
}

interface LedgerOptions {
  url: string;
  /** Signs in the name of the service that asks. */
  signer: Signer;
  /** For each request with its whole answer. */
  timeoutMs: number;
}

const wallet = z.object({ withdrawable: z.int() });
const refundable = wallet.extend({ pending: z.int(), isBooked: z.boolean() });

const disputeDebt = z.object({ debt: z.int().nonnegative().nullable() });

/** `pending`: what is still to settle of the charge. `isBooked`: the books know its payment already. */
type Refundable = z.infer<typeof refundable>;

export function createLedgerClient({ url, signer, timeoutMs }: LedgerOptions): LedgerClient {
  const peer = { service: 'ledger', baseUrl: url, signer, timeoutMs, unanswered: unavailable };
  const ledger = createPeerClient(peer);
  const debit = async (path: string, body: { id: string }) =>
    takenBy(await ledger.send({ method: 'POST', path, body }), body.id);
  return {
    debitRefund: (refund) => debit('/internal/refunds', refundDebit(refund)),
    debitWithdrawal: (withdrawal) => debit('/internal/withdrawals', withdrawalDebit(withdrawal)),
    // In the query, which a ledger of the release before does not read: it refuses fields that it does not know.
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
