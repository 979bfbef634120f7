export { createLedgerClient, type LedgerClient } from './client.ts';
export type { RefundDebit, WithdrawalDebit } from './debits.ts';
export type { BookedPayment } from './payments.ts';
export type { Credit, WalletProof } from './proofs.ts';
