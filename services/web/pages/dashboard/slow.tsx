import { useEffect, useState } from 'react';
import { Notice } from '../components/states/states.tsx';
import { failureWords } from '../shared/error-words.ts';
import { useWords } from '../shared/language.ts';
import { SLOW_AFTER_MS } from '../shared/slow.ts';

/** Shows a warning after four seconds without an answer. The placeholder above the warning never moves. */
export function Slow() {
  const words = useWords(failureWords);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div role="status">{isSlow && <Notice tone="warn">{words.slow}</Notice>}</div>;
}
