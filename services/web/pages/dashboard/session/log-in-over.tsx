import { useEffect } from 'react';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { useWords } from '../../shared/language.ts';
import { frameWords } from '../frame/words.ts';
import { queryClient } from '../query-client.ts';
import { setSessionEnded, useSessionEnded } from './ended.ts';
import { LogInForm } from './log-in-form.tsx';
import { followLogOut } from './session.ts';

/** The log-in dialog over the page after the session has ended. The input in the page below is kept. */
export function LogInOver() {
  const words = useWords(frameWords);
  const isEnded = useSessionEnded();
  useEffect(followLogOut, []);
  if (!isEnded) return null;
  return (
    <Dialog title={words.ended} isClosable={false} onClose={() => undefined}>
      <p>{words.endedText}</p>
      <LogInForm onDone={goOn} />
    </Dialog>
  );
}

function goOn(): void {
  setSessionEnded(false);
  void queryClient.invalidateQueries();
}
