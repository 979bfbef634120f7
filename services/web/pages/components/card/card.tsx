import type { ReactNode } from 'react';
import { environment } from '../../shared/api.ts';
import { catalogue, useWords } from '../../shared/language.ts';
import { useTitle } from '../../shared/title.ts';
import layout from '../layout.module.css';
import styles from './card.module.css';

interface Props {
  title?: string;
  action?: ReactNode;
  /** Removes the card's padding, for content such as a table. */
  isFlush?: boolean;
  children: ReactNode;
}

export function Card({ title, action, isFlush = false, children }: Props) {
  return (
    <section className={styles.card}>
      {title && (
        <header className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {action}
        </header>
      )}
      <div className={isFlush ? undefined : styles.body}>{children}</div>
    </section>
  );
}

const pageNames = catalogue({ inTest: ['{title} · modo de teste', '{title} · test mode'] });

interface PageProps {
  title: ReactNode;
  /** The kind of object, if the page's title is the object's name. The tab shows both. */
  name?: string | undefined;
  /** A link to the list that contains this object. */
  back?: ReactNode;
  /** Content next to the title, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, name, back, beside, actions, children }: PageProps) {
  const { inTest } = useWords(pageNames);
  const tab = [name, typeof title === 'string' ? title : ''].filter(Boolean).join(' ');
  useTitle(environment === 'sandbox' ? inTest(tab) : tab);
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <div className={styles.heading}>
          {back && <div className={styles.back}>{back}</div>}
          <div className={styles.line}>
            <h1 className={styles.name}>{title}</h1>
            {beside}
          </div>
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Shows main content and reference data as two columns on a wide screen. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

export function Figures({
  figures,
}: {
  figures: readonly { label: string; value: ReactNode; hint?: string }[];
}) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, hint }) => (
        <div key={label} className={styles.figure} title={hint}>
          <dt className={layout.soft}>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
