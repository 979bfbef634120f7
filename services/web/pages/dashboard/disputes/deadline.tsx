import { Badge } from '../../components/badge/badge.tsx';
import { useNow } from '../../shared/clock.ts';
import { useDateTime } from '../../shared/date-time.ts';
import { count, daysUntil } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { disputesWords } from './words.ts';

const URGENT_DAYS = 3;

interface Props {
  deadline: string;
  status: string;
  /** True to show the date after the number of days. */
  isDated?: boolean;
}

/**
 * Shows the number of days left for an open dispute, in red when only a few are left. Shows the date of the
 * deadline for other disputes.
 */
export function Deadline({ deadline, status, isDated = false }: Props) {
  const words = useWords(disputesWords);
  const language = useLanguage();
  const date = useDateTime()(deadline);
  const days = daysUntil(deadline, useNow());
  if (status !== 'OPEN') return date;
  const text =
    days < 0
      ? words.over
      : days === 0
        ? words.lastDay
        : days === 1
          ? words.oneLeft
          : words.left(count(days, language));
  return (
    <time dateTime={deadline} title={date}>
      <Badge tone={days < URGENT_DAYS ? 'bad' : 'warn'}>{text}</Badge>
      {isDated && ` ${date}`}
    </time>
  );
}
