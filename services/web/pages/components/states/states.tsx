import type { ReactNode } from 'react';
import { ApiError, ConnectionError } from '../../shared/api.ts';
import { failureWords } from '../../shared/error-words.ts';
import { useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { classes } from '../classes.ts';
import { Json } from '../json/json.tsx';
import { SupportText } from '../support-text/support-text.tsx';
import tones from '../tones.module.css';
import { partWords } from '../words.ts';
import styles from './states.module.css';

const LINES = 'abcdefghijkl';

export function Skeleton({ lines = 3 }: { lines?: number }) {
  const words = useWords(partWords);
  return (
    <div className={styles.skeleton} role="status" aria-label={words.loading}>
      {[...LINES.slice(0, lines)].map((line) => (
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
}

export function Awaited() {
  return <span className={styles.awaited} aria-hidden="true" />;
}

interface EmptyProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** A link to more information about the missing content. */
  more?: ReactNode;
  /** A terminal command that has the same effect as the action. */
  code?: string | undefined;
}

export function Empty({ title, text, action, more, code }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {action}
      {more}
      {code && <Json text={code} />}
    </div>
  );
}

/** Shows the text of an error's code, inside a form or above a page. */
export function Refused({ error }: { error: unknown }) {
  const errorText = useErrorText();
  const words = useWords(failureWords);
  const text = error instanceof ConnectionError ? words.lost : errorText(error);
  return (
    <div className={classes(styles.refused, tones.bad)} role="alert">
      <p className={styles.text}>
        <SupportText text={text} />
      </p>
      <RequestId error={error} />
    </div>
  );
}

export function RequestId({ error }: { error: unknown }) {
  const words = useWords(failureWords);
  if (!(error instanceof ApiError) || error.requestId === null) return null;
  return (
    <details className={styles.details}>
      <summary>{words.details}</summary>
      {error.code} · {words.requestId}: <code>{error.requestId}</code>
    </details>
  );
}

export function Notice({
  tone = 'accent',
  children,
}: {
  tone?: 'accent' | 'warn' | 'bad';
  children: ReactNode;
}) {
  const isPlain = tone === 'accent';
  return <div className={classes(styles.notice, tones[tone], isPlain && styles.plain)}>{children}</div>;
}
