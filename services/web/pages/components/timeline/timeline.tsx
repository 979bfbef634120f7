import type { ReactNode } from 'react';
import type { Tone } from '../../shared/statuses.ts';
import { classes } from '../classes.ts';
import tones from '../tones.module.css';
import { Time } from '../values/values.tsx';
import styles from './timeline.module.css';

export interface Step {
  key: string;
  title: string;
  /** The time of the step. A future step has none. */
  at?: string | null;
  detail?: ReactNode;
  tone?: Tone;
}

/** A list of events, newest first. */
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
