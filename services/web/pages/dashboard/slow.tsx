import { useEffect, useState } from 'react';
import { Notice } from '../components/states/states.tsx';
import { failureWords } from '../shared/error-words.ts';
import { useWords } from '../shared/language.ts';
import { SLOW_AFTER_MS } from '../shared/slow.ts';

/** Says after four seconds that the answer takes long. It stands below the placeholder, which never moves. */
export function Slow() {
  const words = useWords(failureWords);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div role="status">{isSlow && <Notice tone="warn">{words.slow}</Notice>}</div>;
}
