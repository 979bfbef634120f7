import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { DateRange } from '../../parts/date-range/date-range.tsx';
import { Field, Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import { useWords } from '../../shared/language.ts';
import { transactionWords } from '../../shared/transaction-words.ts';
import { type StatementSearch, statementFilters, statementSearch } from './search.ts';
import { statementWords } from './words.ts';

export function StatementFilters({ search }: { search: StatementSearch }) {
  const words = useWords(statementWords);
  const types = useWords(transactionWords);
  const navigate = useNavigate();
  const isNarrowed = Object.values({ ...search, page: undefined }).some(Boolean);

  function change(changed: Partial<Record<keyof StatementSearch, string | undefined>>): void {
    const { page: _first, ...others } = search;
    void navigate({ to: '/statement', search: statementSearch({ ...others, ...changed }) });
  }

  function find(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    change({ search: String(new FormData(event.currentTarget).get('find') ?? '').trim() });
  }

  return (
    <Filters>
      <Select
        label={words.flow}
        name="flow"
        value={search.flow ?? ''}
        options={[
          { value: '', label: words.allFlows },
          ...statementFilters.flows.map((value) => ({ value, label: words[value] })),
        ]}
        onChange={(event) => change({ flow: event.target.value })}
      />
      <Select
        label={words.type}
        name="type"
        value={search.type ?? ''}
        options={[
          { value: '', label: words.allTypes },
          ...statementFilters.types.map((value) => ({ value, label: types[value] })),
        ]}
        onChange={(event) => change({ type: event.target.value })}
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
        <Button kind="quiet" onClick={() => void navigate({ to: '/statement', search: {} })}>
          {words.clear}
        </Button>
      )}
    </Filters>
  );
}
