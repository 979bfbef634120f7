import type { ReactNode } from 'react';
import { CopyText } from '../copy/copy.tsx';
import layout from '../layout.module.css';
import styles from './details.module.css';

export interface Detail {
  label: string;
  value: ReactNode;
  /** The text that the row's copy button copies. */
  copy?: string | null | undefined;
}

/** A list of labels with their values. A row without a value is not shown. */
export function Details({ details }: { details: readonly Detail[] }) {
  const shown = details.filter(({ value }) => ![null, undefined, false, ''].some((none) => value === none));
  return (
    <dl className={styles.details}>
      {shown.map(({ label, value, copy }) => (
        <div key={label} className={styles.detail}>
          <dt className={layout.soft}>{label}</dt>
          <dd>{copy ? <CopyText text={copy}>{value}</CopyText> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
