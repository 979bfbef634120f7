import { disputeReasonWords } from '@plataforma/contracts/value-words';
import { useWords } from '../../shared/language.ts';

export function useReasonText(): (reason: string) => string {
  const texts: Readonly<Record<string, string>> = useWords(disputeReasonWords);
  return (reason) => texts[reason] ?? reason;
}
