import type { ReactNode } from 'react';
import type { Tone } from '../../shared/statuses.ts';
import { classes } from '../classes.ts';
import tones from '../tones.module.css';
import { Time } from '../values/values.tsx';
import styles from './timeline.module.css';

export interface Step {
  key: string;
  title: string;
  /** Missing for a future step. */
  at?: string | null;
  detail?: ReactNode;
  tone?: Tone;
}

/** Events, newest first. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.timeline}>
      {steps.map(({ key, title, at, detail, tone = 'accent' }) => (
        <li key={key} className={classes(styles.step, tones[tone], !at && styles.ahead)}>
          <p className={styles.title}>{title}</p>
          {detail && <div className={styles.note}>{detail}</div>}
          {at && (
            <p className={styles.note}>
              <Time at={at} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
