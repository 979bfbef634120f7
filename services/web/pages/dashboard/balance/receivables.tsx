import type { AnswerTo } from '@plataforma/sdk/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconButton } from '../../components/button/button.tsx';
import { Card } from '../../components/card/card.tsx';
import { classes } from '../../components/classes.ts';
import layout from '../../components/layout.module.css';
import { Empty } from '../../components/states/states.tsx';
import { rowLink, Table } from '../../components/table/table.tsx';
import { Money } from '../../components/values/values.tsx';
import { useNow } from '../../shared/clock.ts';
import { daysAgo, day as dayText, money } from '../../shared/format.ts';
import { type Language, useLanguage, useWords } from '../../shared/language.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { Read } from '../read.tsx';
import { type Day, monthAfter, monthText, weeksOf } from './months.ts';
import { receivablesQuery, settledQuery } from './queries.ts';
import styles from './receivables.module.css';
import { ReceivablesOfDay } from './receivables-of-day.tsx';
import { balanceWords } from './words.ts';

/** The number of past days that the calendar shows. */
const SETTLED_DAYS = 62;

/** Shows the pending or settled money of each day, as a calendar of the month or, on a phone, as a list. */
export function Receivables() {
  const words = useWords(balanceWords);
  const zone = useZone();
  const read = useQuery(receivablesQuery(zone));
  const settledDays = useQuery(settledQuery(daysAgo(SETTLED_DAYS, useNow(), zone), zone));
  return (
    <Card title={words.receivables}>
      <Read of={read} lines={6}>
        {({ days }) => (
          <Shown days={[...summed(settledDays.data?.days ?? [], true), ...summed(days, false)]} />
        )}
      </Read>
    </Card>
  );
}

function Shown({ days }: { days: readonly Day[] }) {
  const words = useWords(balanceWords);
  const [chosen, setMonth] = useState<string>();
  const [opened, setOpened] = useState<Day>();
  if (days.length === 0)
    return <Empty title={words.none} text={words.noneText} more={<GuideLink to="receivables" />} />;
  const months = days.map(({ date }) => date.slice(0, 7)).sort();
  const [first = ''] = months;
  const last = months.at(-1) ?? first;
  const next = days.find(({ isSettled }) => !isSettled)?.date.slice(0, 7);
  const month = chosen ?? next ?? last;
  const shown = days.filter(({ date }) => date.startsWith(month));
  const totalOf = (whenSettled: boolean) =>
    shown.reduce((sum, { amount, isSettled }) => sum + (isSettled === whenSettled ? amount : 0), 0);
  return (
    <div className={styles.around}>
      <MonthBar
        {...{ month, first, last, total: totalOf(false), settledTotal: totalOf(true) }}
        onChange={setMonth}
      />
      <div className={styles.calendar}>
        <Calendar month={month} days={shown} onOpen={setOpened} />
      </div>
      <div className={styles.list}>
        <DayList days={shown} onOpen={setOpened} />
      </div>
      {opened && <ReceivablesOfDay day={opened} onClose={() => setOpened(undefined)} />}
      <Files days={days} />
    </div>
  );
}

/**
 * Links that export the charges of these days as two files, because the API lists pending and settled charges
 * separately.
 */
function Files({ days }: { days: readonly Day[] }) {
  const words = useWords(balanceWords);
  const startDate = daysAgo(SETTLED_DAYS, useNow(), useZone());
  const path = '/v1/receivables/items';
  return (
    <div className={styles.files}>
      {days.some(({ isSettled }) => !isSettled) && (
        <ExportLink path={path} query={{}} name={words.pendingFile} label={words.exportPending} />
      )}
      {days.some(({ isSettled }) => isSettled) && (
        <ExportLink
          path={path}
          query={{ status: 'SETTLED', startDate }}
          name={words.settledFile}
          label={words.exportSettled}
        />
      )}
    </div>
  );
}

interface MonthBarProps {
  month: string;
  first: string;
  last: string;
  total: number;
  settledTotal: number;
  onChange: (month: string) => void;
}

function MonthBar({ month, first, last, total, settledTotal, onChange }: MonthBarProps) {
  const words = useWords(balanceWords);
  const language = useLanguage();
  return (
    <div className={classes(layout.row, styles.bar)}>
      <h3 className={styles.month}>{monthText(month, language)}</h3>
      <span className={classes(layout.soft, styles.total)}>
        {words.total(money(total))}
        {settledTotal > 0 && ` · ${words.settledTotal(money(settledTotal))}`}
      </span>
      <span className={styles.turns}>
        <IconButton
          icon="left"
          label={words.previous}
          disabled={month <= first}
          onClick={() => onChange(monthAfter(month, -1))}
        />
        <IconButton
          icon="right"
          label={words.next}
          disabled={month >= last}
          onClick={() => onChange(monthAfter(month, 1))}
        />
      </span>
    </div>
  );
}

interface DaysProps {
  days: readonly Day[];
  onOpen: (day: Day) => void;
}

function Calendar({ month, days, onOpen }: DaysProps & { month: string }) {
  const words = useWords(balanceWords);
  const language = useLanguage();
  const today = daysAgo(0, useNow(), useZone());
  const weeks = weeksOf(month);
  return (
    <table className={styles.grid} aria-label={`${words.receivables}, ${monthText(month, language)}`}>
      <thead>
        <tr>
          {weeks[1]?.map((date) => (
            <th key={date} scope="col">
              {weekday(date, language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <td key={date} data-today={date === today} data-other={!date.startsWith(month)}>
                <span className={styles.number}>{Number(date.slice(8))}</span>
                {days
                  .filter((day) => day.date === date)
                  .map((day) => (
                    <Cell key={String(day.isSettled)} day={day} onOpen={() => onOpen(day)} />
                  ))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ day, onOpen }: { day: Day; onOpen: () => void }) {
  const words = useWords(balanceWords);
  const amount = money(day.amount);
  const whole = `${amount}, ${words.chargeCount(day.count)}${day.isSettled ? `, ${words.settled}` : ''}`;
  return (
    <button
      type="button"
      className={styles.amount}
      data-settled={day.isSettled}
      data-long={day.amount >= 10_000_000}
      aria-label={whole}
      title={whole}
      onClick={onOpen}
    >
      {/* A breaking space lets the amount wrap after the currency in a narrow column. */}
      {amount.replace(/\s/, ' ')}
    </button>
  );
}

function DayList({ days, onOpen }: DaysProps) {
  const words = useWords(balanceWords);
  const language = useLanguage();
  return (
    <Table
      label={words.receivables}
      rows={days}
      keyOf={({ date, isSettled }) => `${date} ${isSettled}`}
      columns={[
        {
          label: words.day,
          cell: (day) => (
            <button type="button" className={rowLink} onClick={() => onOpen(day)}>
              {dayText(day.date, language)}
            </button>
          ),
          phone: 'first',
        },
        {
          label: words.charges,
          cell: ({ count, isSettled }) => words.chargeCount(count) + (isSettled ? `, ${words.settled}` : ''),
          phone: 'second',
        },
        {
          label: words.amount,
          cell: ({ amount }) => <Money cents={amount} />,
          isEnd: true,
          phone: 'firstEnd',
        },
      ]}
    />
  );
}

/**
 * Returns one entry for each day. The API lists the payment methods of a day separately, so their amounts are
 * added up.
 */
function summed(days: AnswerTo<'GET /v1/receivables'>['days'], isSettled: boolean): Day[] {
  const of = new Map<string, Day>();
  for (const { date, count, amount } of days) {
    const before = of.get(date) ?? { date, count: 0, amount: 0, isSettled };
    of.set(date, { date, count: before.count + count, amount: before.amount + amount, isSettled });
  }
  return [...of.values()];
}

function weekday(date: string, language: Language): string {
  const format = { timeZone: 'UTC', weekday: 'short' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(`${date}T12:00:00Z`));
}
