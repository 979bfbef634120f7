import type { DestinationView } from '@plataforma/contracts';
import { useWords } from '../../shared/language.ts';
import { bankName } from './banks.ts';
import { destinationWords } from './words.ts';

export function useDestinationText(): (destination: DestinationView) => string {
  const words = useWords(destinationWords);
  return (each) => {
    if (each.type === 'PIX') return each.pixKey;
    const { bankCode, branch, account } = each;
    return words.bankText(bankName(bankCode) ?? words.someBank(bankCode), branch, account);
  };
}
