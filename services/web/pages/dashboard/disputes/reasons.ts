import { disputeReasonWords } from '@plataforma/contracts/value-words';
import { catalogue, useWords } from '../../shared/language.ts';

const words = catalogue(disputeReasonWords['pt-BR'], disputeReasonWords.en);

/** The words of a dispute's reason. */
export function useReasonText(): (reason: string) => string {
  const known: Readonly<Record<string, string>> = useWords(words);
  return (reason) => known[reason] ?? reason;
}
