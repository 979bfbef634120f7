import type { TimeZone } from '@plataforma/kernel';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { settingsWords } from './words.ts';

interface Change {
  phone?: string;
  checkoutColor?: string;
  timeZone?: TimeZone | undefined;
  /** Left out: as it is. */
  logo?: string | null;
}

/** The logo first: where that is refused, the form still says what it was about to change. */
export function useAccountChange() {
  const words = useWords(settingsWords);
  return useChange({
    send: async ({ logo, ...body }: Change) => {
      if (logo !== undefined) await call('PATCH /v1/account/logo', { body: { logo } });
      return call('PATCH /v1/account', { body });
    },
    changes: ['account'],
    done: words.changesSaved,
  });
}
