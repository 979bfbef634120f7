import { toast } from '../../parts/toast/toast.tsx';
import { call } from '../../shared/api.ts';
import { useChange } from '../../shared/keyed.ts';
import { useWords } from '../../shared/language.ts';
import { settingsWords } from './words.ts';

export function useAccountChange() {
  const words = useWords(settingsWords);
  return useChange({
    send: (body: { phone?: string; checkoutColor?: string }) => call('PATCH /v1/account', { body }),
    changes: ['account'],
    onDone: () => toast(words.saved),
  });
}
