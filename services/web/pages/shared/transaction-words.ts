import { catalogue } from './language.ts';

/** The movements of a balance, by their type. */
export const transactionWords = catalogue(
  {
    CREDIT: 'Crédito',
    DEBIT: 'Débito',
    FEE: 'Tarifa',
    WITHDRAWAL: 'Saque',
    REFUND: 'Devolução',
    DISPUTE_RESERVE: 'Reserva de contestação',
    DISPUTE_RELEASE: 'Liberação de contestação',
    DISPUTE_DEFICIT: 'Débito de contestação',
  },
  {
    CREDIT: 'Credit',
    DEBIT: 'Debit',
    FEE: 'Fee',
    WITHDRAWAL: 'Withdrawal',
    REFUND: 'Refund',
    DISPUTE_RESERVE: 'Dispute reserve',
    DISPUTE_RELEASE: 'Dispute release',
    DISPUTE_DEFICIT: 'Dispute debit',
  },
);
