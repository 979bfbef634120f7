import type { WithdrawalView } from '@plataforma/contracts';
import { Notice } from '../../components/states/states.tsx';
import { Time } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { withdrawalWords } from '../withdrawals/words.ts';

interface Props {
  waitingFor: NonNullable<WithdrawalView['waitingFor']>;
}

export function Waiting({ waitingFor: { what, who, since, until, reason } }: Props) {
  const words = useWords(withdrawalWords);
  // A newer release may return causes that this page does not know. For those, the page shows only the
  // general sentence.
  const waits: Readonly<Record<string, string>> = words.waits;
  const acts: Readonly<Record<string, string>> = words.acts;
  // The text names the missing action, for example two approvals. For a manual transfer, the text says that
  // the platform's team must act.
  const act = what === 'transfer' ? words.acts.platform : who && acts[who];
  const sentences = [(reason && waits[reason]) || waits[what], act, words.notAgain].filter(Boolean).join(' ');
  return (
    <Notice tone="warn">
      <span>{sentences}</span>
      <small>
        {words.since} <Time at={since} />
        {until && (
          <>
            {' · '}
            {words.until} <Time at={until} />
          </>
        )}
      </small>
    </Notice>
  );
}
