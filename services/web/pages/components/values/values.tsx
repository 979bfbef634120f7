import { useNow } from '../../shared/clock.ts';
import { dateTime, exactTime, fullDateTime, money, relative } from '../../shared/format.ts';
import { useLanguage } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import styles from './values.module.css';

export function Money({ cents }: { cents: number }) {
  return <span className={styles.money}>{money(cents)}</span>;
}

interface TimeProps {
  at: string;
  isRelative?: boolean;
  /** True if the time contains seconds. */
  isExact?: boolean;
}

/**
 * A time in the account's time zone. If `isRelative` is true, a time within a day of now is shown like “3 min
 * ago”. The tooltip shows the full time.
 */
export function Time({ at, isRelative = false, isExact = false }: TimeProps) {
  const language = useLanguage();
  const now = useNow();
  const reader = { language, timeZone: useZone() };
  const near = isRelative ? relative(at, language, now) : null;
  return (
    <time dateTime={at} title={fullDateTime(at, reader)} className={styles.time}>
      {near ?? (isExact ? exactTime(at, reader) : dateTime(at, reader, now))}
    </time>
  );
}
