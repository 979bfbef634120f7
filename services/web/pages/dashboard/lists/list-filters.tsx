import type { FormEvent, ReactNode } from 'react';
import { DateRange, type Period, usePeriodText } from '../../components/date-range/date-range.tsx';
import { Field, Select } from '../../components/field/field.tsx';
import type { Search } from '../search.ts';
import styles from './list-filters.module.css';

/** A filter with a few values. `name` is its parameter in the list's URL. */
export interface Choice {
  name: string;
  label: string;
  /** The label of the option that does not filter. */
  all: string;
  /** The values of the filter, optionally with labels. */
  values: readonly string[] | Readonly<Record<string, string>>;
}

interface Props {
  /** The search parameters of the list's URL. */
  search: object;
  choices: readonly Choice[];
  hasPeriod?: boolean | undefined;
  /** The label and hint of the search field. */
  find?: { label: string; hint: string } | undefined;
  go: (search: Search) => void;
  clear?: ReactNode;
}

/** The filters above a list. Each change of a filter returns to the list's first page. */
export function ListFilters({ search, choices, hasPeriod = true, find, go, clear }: Props) {
  const change = (changed: Search) => go({ ...search, page: undefined, ...changed });
  return (
    <div className={styles.filters}>
      {choices.map((choice) => (
        <Select
          key={choice.name}
          label={choice.label}
          name={choice.name}
          value={textOf(search, choice.name)}
          options={[{ value: '', label: choice.all }, ...optionsIn(choice)]}
          onChange={(event) => change({ [choice.name]: event.target.value })}
        />
      ))}
      {hasPeriod && <DateRange value={periodOf(search)} onChange={({ from, to }) => change({ from, to })} />}
      {find && (
        <Find {...find} value={textOf(search, 'search')} onFind={(text) => change({ search: text })} />
      )}
      {clear}
    </div>
  );
}

function optionsIn({ values }: Choice): { value: string; label: string }[] {
  const pairs = Array.isArray(values) ? values.map((value) => [value, value]) : Object.entries(values);
  return pairs.map(([value, label]) => ({ value, label }));
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

/** Returns the chosen filters as text. An empty list shows this text. */
export function useFilterText(search: object, choices: readonly Choice[]): string {
  const period = usePeriodText(periodOf(search));
  const chosen = choices.flatMap((choice) => {
    const option = optionsIn(choice).find(({ value }) => value === textOf(search, choice.name));
    return option ? [`${choice.label}: ${option.label}`] : [];
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
