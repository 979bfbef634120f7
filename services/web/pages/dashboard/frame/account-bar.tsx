import { Notice } from '../../parts/states/states.tsx';
import { environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useAccount } from '../session/session.ts';
import { frameWords } from './words.ts';

/** What an account can't do yet, or no more, above every page. */
export function AccountBar() {
  const words = useWords(frameWords);
  const status = useAccount()?.status;
  if (status === 'SUSPENDED') return <Notice tone="bad">{words.suspended}</Notice>;
  if (status === 'REJECTED') return <Notice tone="bad">{words.rejected}</Notice>;
  if (status !== 'PENDING' || environment === 'sandbox') return null;
  return (
    <Notice tone="warn">
      <span>
        {words.pending} <a href="/test">{words.toTest}</a>
      </span>
    </Notice>
  );
}
