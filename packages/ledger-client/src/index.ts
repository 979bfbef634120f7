export { createLedgerClient, type LedgerClient } from './client.ts';
export { OrderRefused, type RefundDebit, type WithdrawalDebit } from './debits.ts';
export type { BookedPayment } from './payments.ts';
export type { Credit, WalletProof } from './proofs.ts';
