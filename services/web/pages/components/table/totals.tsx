import type { SumsView } from '@plataforma/contracts';
import { count, money } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { partWords } from '../words.ts';
import styles from './totals.module.css';

const MONEY = ['amount', 'grossAmount', 'feeAmount', 'refundedAmount', 'netAmount'] as const;

/** The sums of all rows of a list, on all its pages. */
export function Totals({ sums, total }: { sums: SumsView; total: number }) {
  const words = useWords(partWords);
  const language = useLanguage();
  const isPart = sums.count < total;
  const figures = MONEY.flatMap((name) => {
    const cents = sums[name];
    return cents === undefined ? [] : [{ label: words.sums[name], text: money(cents) }];
  });
  return (
    <section className={styles.totals} aria-label={words.sums.title}>
      <dl className={styles.figures}>
        <div>
          <dt>{isPart ? words.sums.newest : words.sums.count}</dt>
          <dd>{count(sums.count, language)}</dd>
        </div>
        {figures.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
