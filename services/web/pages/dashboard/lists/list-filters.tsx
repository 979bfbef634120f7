import type { FormEvent, ReactNode } from 'react';
import { DateRange, type Period, usePeriodText } from '../../parts/date-range/date-range.tsx';
import { Field, Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import type { Search } from '../search.ts';

/** One of a few values, by the name that the list's URL has for it. */
export interface Choice {
  name: string;
  label: string;
  /** Nothing chosen. */
  all: string;
  options: readonly { value: string; label: string }[];
}

/** A choice among these values, each with its word, or itself. */
export function choiceOf<Value extends string>(
  choice: Omit<Choice, 'options'>,
  values: readonly Value[],
  words?: Readonly<Record<Value, string>>,
): Choice {
  return { ...choice, options: values.map((value) => ({ value, label: words?.[value] ?? value })) };
}

interface Props {
  /** As the list's URL has it. */
  search: object;
  choices: readonly Choice[];
  hasPeriod?: boolean | undefined;
  /** Words to look for. */
  find?: { label: string; hint: string } | undefined;
  /** To the list with these filters. */
  go: (search: Search) => void;
  clear?: ReactNode;
}

/** What narrows a list; each change begins with its first page again. */
export function ListFilters({ search, choices, hasPeriod = true, find, go, clear }: Props) {
  const change = (changed: Search) => go({ ...search, page: undefined, ...changed });
  return (
    <Filters>
      {choices.map(({ name, label, all, options }) => (
        <Select
          key={name}
          label={label}
          name={name}
          value={textOf(search, name)}
          options={[{ value: '', label: all }, ...options]}
          onChange={(event) => change({ [name]: event.target.value })}
        />
      ))}
      {hasPeriod && <DateRange value={periodOf(search)} onChange={({ from, to }) => change({ from, to })} />}
      {find && (
        <Find {...find} value={textOf(search, 'search')} onFind={(text) => change({ search: text })} />
      )}
      {clear}
    </Filters>
  );
}

interface FindProps {
  label: string;
  hint: string;
  value: string;
  onFind: (text: string) => void;
}

function Find({ label, hint, value, onFind }: FindProps) {
  function find(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onFind(String(new FormData(event.currentTarget).get('find') ?? '').trim());
  }
  return (
    <form onSubmit={find}>
      <Field key={value} label={label} name="find" type="search" placeholder={hint} defaultValue={value} />
    </form>
  );
}

export function isNarrowed(search: object): boolean {
  return Object.entries(search).some(([name, value]) => name !== 'page' && Boolean(value));
}

/** The filters in words, for a list that they leave empty. */
export function useFilterText(search: object, choices: readonly Choice[]): string {
  const period = usePeriodText(periodOf(search));
  const chosen = choices.flatMap(({ name, label, options }) => {
    const option = options.find(({ value }) => value === textOf(search, name));
    return option ? [`${label}: ${option.label}`] : [];
  });
  const found = textOf(search, 'search');
  return [...chosen, period, found && `“${found}”`].filter(Boolean).join(' · ');
}

function textOf(search: object, name: string): string {
  const value = Object.entries(search).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

function periodOf(search: object): Period {
  return { from: textOf(search, 'from') || undefined, to: textOf(search, 'to') || undefined };
}
