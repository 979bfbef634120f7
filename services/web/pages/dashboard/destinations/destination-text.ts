import type { DestinationView } from '@plataforma/contracts';
import { useWords } from '../../shared/language.ts';
import { destinationWords } from './words.ts';

/** The key, or bank, branch and account. */
export function useDestinationText(): (destination: DestinationView) => string {
  const words = useWords(destinationWords);
  return (each) =>
    each.type === 'PIX' ? each.pixKey : words.bankText(each.bankCode, each.branch, each.account);
}
