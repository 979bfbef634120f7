import type { ReactNode } from 'react';
import { useWords } from '../../shared/language.ts';
import { statusWords, type Tone, toneOfStatus } from '../../shared/statuses.ts';
import { classes } from '../classes.ts';
import tones from '../tones.module.css';
import styles from './badge.module.css';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes(styles.badge, tones[tone])}>{children}</span>;
}

type Kind = keyof (typeof statusWords)['en'];

export function Status({ of, status }: { of: Kind; status: string }) {
  const words: Readonly<Record<string, string>> = useWords(statusWords)[of];
  return <Badge tone={toneOfStatus[status] ?? 'neutral'}>{words[status] ?? status}</Badge>;
}
