import { catalogue } from './language.ts';

/** What the platform itself moves, by the API's own text of it. */
export const platformWords = catalogue(
  { 'Blocked by the platform': 'Bloqueio', 'No longer blocked by the platform': 'Desbloqueio' },
  { 'Blocked by the platform': 'Block', 'No longer blocked by the platform': 'Unblock' },
);

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
