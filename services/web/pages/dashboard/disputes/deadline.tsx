import { Badge } from '../../parts/badge/badge.tsx';
import { useNow } from '../../shared/clock.ts';
import { count, dateTime, daysUntil } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { disputesWords } from './words.ts';

const URGENT_DAYS = 3;

interface Props {
  deadline: string;
  status: string;
  /** With the date beside the days. */
  isDated?: boolean;
}

/** Days left of an open dispute, in red when they are few; of any other the date. */
export function Deadline({ deadline, status, isDated = false }: Props) {
  const words = useWords(disputesWords);
  const language = useLanguage();
  const now = useNow();
  const days = daysUntil(deadline, now);
  if (status !== 'OPEN') return dateTime(deadline, language, now);
  const text =
    days < 0
      ? words.over
      : days === 0
        ? words.lastDay
        : days === 1
          ? words.oneLeft
          : words.left(count(days, language));
  return (
    <time dateTime={deadline} title={dateTime(deadline, language, now)}>
      <Badge tone={days < URGENT_DAYS ? 'bad' : 'warn'}>{text}</Badge>
      {isDated && ` ${dateTime(deadline, language, now)}`}
    </time>
  );
}
