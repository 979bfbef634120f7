import { availableMovements, movements } from '@plataforma/contracts/value-words';
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

export const transactionWords = catalogue(movements['pt-BR'], movements.en);

const availableWords = catalogue(availableMovements['pt-BR'], availableMovements.en);

interface Movement {
  type: keyof (typeof transactionWords)['en'];
  amount: number;
  /** Rows of the available balance have it. */
  movement?: { type: keyof (typeof availableWords)['en'] } | null;
}

/** What a movement is, in a word or two. */
export function useMovementText(): (movement: Movement) => string {
  const types = useWords(transactionWords);
  const returned: Readonly<Record<string, string>> = useWords(returnedWords);
  const available = useWords(availableWords);
  return ({ type, amount, movement }) =>
    movement ? available[movement.type] : (amount > 0 && returned[type]) || types[type];
}
