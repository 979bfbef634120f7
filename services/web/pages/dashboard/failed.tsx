import { Failed as Shown } from '../parts/states/states.tsx';
import { ApiError } from '../shared/api.ts';
import { catalogue, useWords } from '../shared/language.ts';
import { statusWords } from '../shared/statuses.ts';
import { useAccount } from './session/session.ts';

const failedWords = catalogue({
  demand: [
    (needed: string, held: string) => `Situação necessária: ${needed}. A da sua conta: ${held}.`,
    (needed: string, held: string) => `Status needed: ${needed}. Your account’s: ${held}.`,
  ],
});

interface Props {
  error: unknown;
  retry?: () => unknown;
}

/** In the place of what could not be read; a refused account reads which status it has, and which one it takes. */
export function Failed(props: Props) {
  const words = useWords(failedWords);
  const { account: statuses } = useWords(statusWords);
  const status = useAccount()?.status;
  const isRefused = props.error instanceof ApiError && props.error.code.startsWith('MERCHANT_');
  const demand =
    isRefused && status && status !== 'APPROVED'
      ? words.demand(statuses.APPROVED, statuses[status])
      : undefined;
  return <Shown {...props} demand={demand} />;
}
