import { availableMovements, movements as transactionWords } from '@plataforma/contracts/value-words';
import { catalogue, useWords } from './language.ts';

/** What the platform itself moves, by the API's own text of it. */
export const platformWords = catalogue({
  'Blocked by the platform': ['Bloqueio', 'Block'],
  'No longer blocked by the platform': ['Desbloqueio', 'Unblock'],
});

/** What came back after it had been taken. */
const returnedWords = catalogue({
  REFUND: ['Devolução não concluída', 'Refund not completed'],
  WITHDRAWAL: ['Saque não concluído', 'Withdrawal not completed'],
  FEE: ['Tarifa devolvida', 'Fee given back'],
});

export { transactionWords };

interface Movement {
  type: keyof (typeof transactionWords)['en'];
  amount: number;
  /** Rows of the available balance have it. */
  movement?: { type: keyof (typeof availableMovements)['en'] } | null;
}

/** What a movement is, in a word or two. */
export function useMovementText(): (movement: Movement) => string {
  const types = useWords(transactionWords);
  const returned: Readonly<Record<string, string>> = useWords(returnedWords);
  const available = useWords(availableMovements);
  return ({ type, amount, movement }) =>
    movement ? available[movement.type] : (amount > 0 && returned[type]) || types[type];
}
