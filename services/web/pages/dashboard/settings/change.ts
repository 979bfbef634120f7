import type { TimeZone } from '@plataforma/kernel';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useChange } from '../changes/use-change.ts';
import { settingsWords } from './words.ts';

interface Change {
  phone?: string;
  checkoutColor?: string;
  timeZone?: TimeZone | undefined;
  /** The new logo. Null removes the logo, and undefined leaves it unchanged. */
  logo?: string | null;
}

/** The logo is sent first. If the API refuses the logo, the other changes stay in the form. */
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
