import { availableMovements, movements as transactionWords } from '@plataforma/contracts/value-words';
import { catalogue, useWords } from './language.ts';

/** The labels of the platform's own movements. The keys are the texts that the API returns. */
export const platformWords = catalogue({
  'Blocked by the platform': ['Bloqueio', 'Block'],
  'No longer blocked by the platform': ['Desbloqueio', 'Unblock'],
});

/** The labels of movements that return money which had been taken. */
const returnedWords = catalogue({
  REFUND: ['Devolução não concluída', 'Refund not completed'],
  WITHDRAWAL: ['Saque não concluído', 'Withdrawal not completed'],
  FEE: ['Tarifa devolvida', 'Fee returned'],
});

export { transactionWords };

interface Movement {
  type: keyof (typeof transactionWords)['en'];
  amount: number;
  /** The kind of movement. Only rows of the available balance have this field. */
  movement?: { type: keyof (typeof availableMovements)['en'] } | null;
}

export function useMovementText(): (movement: Movement) => string {
  const types = useWords(transactionWords);
  const returned: Readonly<Record<string, string>> = useWords(returnedWords);
  const available = useWords(availableMovements);
  return ({ type, amount, movement }) =>
    movement ? available[movement.type] : (amount > 0 && returned[type]) || types[type];
}
