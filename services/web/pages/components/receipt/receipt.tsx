import { type Detail, Details } from '../details/details.tsx';
import layout from '../layout.module.css';
import styles from './receipt.module.css';

interface Props {
  title: string;
  amount: string;
  /** The time of the payment, as a text in the time of São Paulo. */
  at: string;
  groups: readonly { title: string; details: readonly Detail[] }[];
  /** A text below the receipt, for example that no money moved. */
  note?: string | undefined;
}

/** A receipt on one sheet. The browser prints it without the frame of the page. */
export function Receipt({ title, amount, at, groups, note }: Props) {
  return (
    <article className={styles.sheet} aria-label={title}>
      <header className={styles.head}>
        <p>{title}</p>
        <p className={styles.amount}>{amount}</p>
        <p className={layout.soft}>{at}</p>
      </header>
      {groups.map((group) => (
        <section key={group.title} className={styles.group}>
          <h2 className={styles.title}>{group.title}</h2>
          <Details details={group.details} />
        </section>
      ))}
      {note && <p className={layout.soft}>{note}</p>}
    </article>
  );
}
