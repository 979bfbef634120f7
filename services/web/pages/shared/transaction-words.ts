import { catalogue, useWords } from './language.ts';

/** What the platform itself moves, by the API's own text of it. */
export const platformWords = catalogue(
  { 'Blocked by the platform': 'Bloqueio', 'No longer blocked by the platform': 'Desbloqueio' },
  { 'Blocked by the platform': 'Block', 'No longer blocked by the platform': 'Unblock' },
);

/** What came back after it had been taken. */
const returnedWords = catalogue(
  { REFUND: 'Devolução não concluída', WITHDRAWAL: 'Saque não concluído', FEE: 'Tarifa devolvida' },
  { REFUND: 'Refund not completed', WITHDRAWAL: 'Withdrawal not completed', FEE: 'Fee given back' },
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

interface Movement {
  type: keyof (typeof transactionWords)['en'];
  amount: number;
}

/** What a movement is, in a word or two. */
export function useMovementText(): (movement: Movement) => string {
  const types = useWords(transactionWords);
  const returned: Readonly<Record<string, string>> = useWords(returnedWords);
  return ({ type, amount }) => (amount > 0 && returned[type]) || types[type];
}
