import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { DateRange } from '../../parts/date-range/date-range.tsx';
import { Field, Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { type WithdrawalsSearch, withdrawalFilters, withdrawalsSearch } from './search.ts';
import { withdrawalWords } from './words.ts';

/** Each change is a place in the history: the browser's back undoes it. */
export function WithdrawalFilters({ search }: { search: WithdrawalsSearch }) {
  const words = useWords(withdrawalWords);
  const statuses = useWords(statusWords).withdrawal;
  const navigate = useNavigate();
  const isNarrowed = Object.values({ ...search, page: undefined }).some(Boolean);

  function change(changed: Partial<Record<keyof WithdrawalsSearch, string | undefined>>): void {
    const { page: _first, ...others } = search;
    void navigate({ to: '/withdrawals', search: withdrawalsSearch({ ...others, ...changed }) });
  }

  function find(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    change({ search: String(new FormData(event.currentTarget).get('find') ?? '').trim() });
  }

  return (
    <Filters>
      <Select
        label={words.status}
        name="status"
        value={search.status ?? ''}
        options={[
          { value: '', label: words.all },
          ...withdrawalFilters.statuses.map((value) => ({ value, label: statuses[value] })),
        ]}
        onChange={(event) => change({ status: event.target.value })}
      />
      <Select
        label={words.method}
        name="method"
        value={search.method ?? ''}
        options={[
          { value: '', label: words.allMethods },
          ...withdrawalFilters.methods.map((value) => ({ value, label: words.methods[value] })),
        ]}
        onChange={(event) => change({ method: event.target.value })}
      />
      <DateRange value={search} onChange={({ from, to }) => change({ from, to })} />
      <form onSubmit={find}>
        <Field
          key={search.search ?? ''}
          label={words.search}
          name="find"
          type="search"
          placeholder={words.searchHint}
          defaultValue={search.search ?? ''}
        />
      </form>
      {isNarrowed && (
        <Button kind="quiet" onClick={() => void navigate({ to: '/withdrawals', search: {} })}>
          {words.clear}
        </Button>
      )}
    </Filters>
  );
}
