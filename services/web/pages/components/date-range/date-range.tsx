import type { TimeZone } from '@plataforma/kernel';
import { useState } from 'react';
import { useNow } from '../../shared/clock.ts';
import { day, daysAgo, offsetText } from '../../shared/format.ts';
import { type Language, useLanguage, useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { Select } from '../field/field.tsx';
import { partWords } from '../words.ts';
import styles from './date-range.module.css';
import { DayField } from './day-field.tsx';

/** A period of days in the account's time zone. A missing `from` or `to` leaves that end open. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

const PRESETS = ['0', '7', '30', '90'] as const;
const OWN = 'own';

/**
 * A field for a period: either a preset such as the last seven days, or a first and a last day. The period is
 * also shown as text, because the browser's date inputs may use another language.
 */
export function DateRange({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const words = useWords(partWords);
  const language = useLanguage();
  const now = useNow();
  const zone = useZone();
  const { from, to } = value;
  const offset = offsetText(now, zone);
  const preset = presetOf(value, now, zone);
  const [isOwn, setOwn] = useState(preset === OWN);
  const shown = isOwn ? OWN : preset;
  const options = [
    { value: '', label: words.anyTime },
    ...PRESETS.map((days) => ({ value: days, label: days === '0' ? words.today : words.lastDays(days) })),
    { value: OWN, label: words.other },
  ];

  function choose(chosen: string): void {
    setOwn(chosen === OWN);
    if (chosen === '') onChange({});
    else if (chosen !== OWN) onChange({ from: firstDay(chosen, now, zone) });
  }

  return (
    <div className={styles.range}>
      <Select
        // The label contains the offset of the account's time zone when the browser's time zone has another
        // offset.
        label={offset === offsetText(now) ? words.period : `${words.period} (${offset})`}
        name="period"
        options={options}
        value={shown}
        onChange={(event) => choose(event.target.value)}
      />
      {shown === OWN && (
        <>
          <DayField
            label={words.fromDay}
            name="from"
            day={from}
            fits={(day) => !to || day <= to}
            onDay={(day) => onChange({ from: day, to: day && to && to < day ? day : to })}
          />
          <DayField
            label={words.toDay}
            name="to"
            day={to}
            fits={(day) => !day || !from || from <= day}
            onDay={(day) => onChange({ from: day && from && day < from ? day : from, to: day })}
          />
          <p className={styles.said}>{periodText(value, words, language)}</p>
        </>
      )}
    </div>
  );
}

/** Returns the period as text, with the labels of the presets. */
export function usePeriodText(value: Period): string {
  const words = useWords(partWords);
  const language = useLanguage();
  const preset = presetOf(value, useNow(), useZone());
  if (preset === '' || preset === OWN) return periodText(value, words, language);
  return preset === '0' ? words.today : words.lastDays(preset);
}

interface Words {
  between: (from: string, to: string) => string;
  since: (from: string) => string;
  until: (to: string) => string;
}

function periodText({ from, to }: Period, words: Words, language: Language): string {
  if (from && to) return words.between(day(from, language), day(to, language));
  if (from) return words.since(day(from, language));
  return to ? words.until(day(to, language)) : '';
}

/** Returns the first day of a preset. The last seven days, for example, include today. */
function firstDay(days: string, now: number, zone: TimeZone): string {
  return daysAgo(Math.max(0, Number(days) - 1), now, zone);
}

function presetOf({ from, to }: Period, now: number, zone: TimeZone): string {
  if (!from && !to) return '';
  return PRESETS.find((days) => !to && from === firstDay(days, now, zone)) ?? OWN;
}

/** Returns the period as query parameters of the API. The caller must add the `timeZone` of the days. */
export function periodQuery({ from, to }: Period) {
  return { ...(from && { startDate: from }), ...(to && { endDate: to }) };
}
