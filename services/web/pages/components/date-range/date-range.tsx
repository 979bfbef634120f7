import { addDays } from '@plataforma/kernel/time-zones';
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

const OWN = 'own';

/** The presets, computed from the current day. A period up to today has no end. */
const PRESETS = {
  today: (today) => ({ from: today }),
  yesterday: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  days7: (today) => ({ from: addDays(today, -6) }),
  days30: (today) => ({ from: addDays(today, -29) }),
  days90: (today) => ({ from: addDays(today, -89) }),
  thisMonth: (today) => monthOf(today),
  lastMonth: (today) => monthOf(addDays(monthOf(today).from, -1)),
} as const satisfies Record<string, (today: string) => Period>;

type Preset = keyof typeof PRESETS;

const isPreset = (name: string): name is Preset => name in PRESETS;
const names = Object.keys(PRESETS).filter(isPreset);

/** Returns the first and the last day of a day's month. */
export function monthOf(day: string): { from: string; to: string } {
  const from = `${day.slice(0, 8)}01`;
  return { from, to: addDays(`${addDays(from, 31).slice(0, 8)}01`, -1) };
}

interface Props {
  value: Period;
  onChange: (period: Period) => void;
  /** False if the page needs a period. The field then has no option for all time. */
  hasAnyTime?: boolean;
}

/**
 * A field for a period: either a preset such as the last seven days, or a first and a last day. The period is
 * also shown as text, because the browser's date inputs may use another language.
 */
export function DateRange({ value, onChange, hasAnyTime = true }: Props) {
  const words = useWords(partWords);
  const language = useLanguage();
  const now = useNow();
  const zone = useZone();
  const { from, to } = value;
  const offset = offsetText(now, zone);
  const today = daysAgo(0, now, zone);
  const preset = presetOf(value, today);
  const [isOwn, setOwn] = useState(preset === OWN);
  const shown = isOwn ? OWN : preset;
  const options = [
    ...(hasAnyTime ? [{ value: '', label: words.anyTime }] : []),
    ...names.map((name) => ({ value: name, label: words.presets[name] })),
    { value: OWN, label: words.other },
  ];

  function choose(chosen: string): void {
    setOwn(chosen === OWN);
    if (chosen === '') onChange({});
    else if (isPreset(chosen)) onChange(PRESETS[chosen](today));
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
  const preset = presetOf(value, daysAgo(0, useNow(), useZone()));
  return isPreset(preset) ? words.presets[preset] : periodText(value, words, language);
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

function presetOf({ from, to }: Period, today: string): Preset | '' | typeof OWN {
  if (!from && !to) return '';
  const isSame = (preset: Period) => preset.from === from && preset.to === to;
  return names.find((name) => isSame(PRESETS[name](today))) ?? OWN;
}

/** Returns the period as query parameters of the API. The caller must add the `timeZone` of the days. */
export function periodQuery({ from, to }: Period) {
  return { ...(from && { startDate: from }), ...(to && { endDate: to }) };
}
