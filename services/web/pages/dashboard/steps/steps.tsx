import type { ReactNode } from 'react';
import { Icon } from '../../components/icon/icon.tsx';
import layout from '../../components/layout.module.css';
import { catalogue, useWords } from '../../shared/language.ts';
import styles from './steps.module.css';

const stepWords = catalogue({
  done: ['Feito', 'Done'],
  open: ['A fazer', 'To do'],
});

export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>;
}

interface StepProps {
  isDone: boolean;
  /** A link in the title covers the whole step. */
  title: ReactNode;
  text: ReactNode;
  /** Buttons below the text, which stay clickable. */
  actions?: ReactNode;
}

export function Step({ isDone, title, text, actions }: StepProps) {
  const words = useWords(stepWords);
  return (
    <li className={styles.step}>
      <span
        className={isDone ? styles.done : styles.open}
        role="img"
        aria-label={isDone ? words.done : words.open}
      >
        {isDone && <Icon name="check" />}
      </span>
      <div>
        <p className={styles.title}>{title}</p>
        <p className={layout.soft}>{text}</p>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </li>
  );
}
