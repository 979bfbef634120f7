import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button/button.tsx';
import { monthOf } from '../../components/date-range/date-range.tsx';
import { toast } from '../../components/toast/toast.tsx';
import { currentTime } from '../../shared/clock.ts';
import { daysAgo, fileSize } from '../../shared/format.ts';
import { catalogue, useLanguage, useWords } from '../../shared/language.ts';
import { useErrorText } from '../../shared/refusals.ts';
import { useZone } from '../../shared/zone.ts';
import { readFile, save } from './read-file.ts';

const words = catalogue({
  csv: ['Exportar CSV', 'Export CSV'],
  ofx: ['Exportar OFX', 'Export OFX'],
  reading: ['Exportando: {size}', 'Exporting: {size}'],
  saved: ['Arquivo salvo', 'File saved'],
});

/** The interval at which a long export reports its progress, so that screen readers can follow. */
const PROGRESS_EVERY_MS = 1_000;

const TYPES = { csv: 'text/csv', ofx: 'application/x-ofx' } as const;

interface Props {
  path: string;
  query: Record<string, string | number | undefined>;
  /** The beginning of the file's name. The period or the current day is added to it. */
  name: string;
  /** The format of the file. OFX is for accounting programs. */
  as?: keyof typeof TYPES;
  /** The link's text, for a page that offers several files. */
  label?: string;
}

/**
 * A button that downloads all rows that match the filters as a file of the API. A plain HTML link can't send
 * the header that the API needs, so a script reads the file.
 */
export function ExportLink({ path, query, name, as = 'csv', label }: Props) {
  const text = useWords(words);
  const errorText = useErrorText();
  const locale = useLanguage();
  const timeZone = useZone();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      let [shownAt, isLong] = [performance.now(), false];
      const file = await readFile(path, { ...query, timeZone, locale }, TYPES[as], (bytes) => {
        if (performance.now() - shownAt < PROGRESS_EVERY_MS) return;
        [shownAt, isLong] = [performance.now(), true];
        toast(text.reading(fileSize(bytes, locale)));
      });
      if (isLong) toast(text.saved);
      return file;
    },
    onSuccess: (file) => {
      const days = daysIn(query, daysAgo(0, currentTime(), timeZone));
      save(file, `${name.toLowerCase()}-${days}.${as}`);
    },
    onError: (error) => toast(errorText(error)),
  });
  return (
    <Button icon="download" busy={isPending} onClick={() => mutate()}>
      {label ?? text[as]}
    </Button>
  );
}

/**
 * Returns the query's period for the name of a file: `2026-11` for a calendar month, or else its days. For a
 * query without dates, returns the current day.
 */
function daysIn({ startDate, endDate }: Props['query'], today: string): string {
  if (!startDate) return String(endDate ?? today);
  const [first, last] = [String(startDate), String(endDate ?? today)];
  const month = monthOf(first);
  if (month.from === first && month.to === last) return first.slice(0, 'yyyy-mm'.length);
  return first === last ? first : `${first}-${last}`;
}
