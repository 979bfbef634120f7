import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Card } from '../../parts/card/card.tsx';
import { catalogue, useWords } from '../../shared/language.ts';
import type { Search } from '../search.ts';
import { List, type ListProps } from './list.tsx';
import { isNarrowed, ListFilters, useFilterText } from './list-filters.tsx';

const words = catalogue({ clear: ['Limpar filtros', 'Clear filters'] });

type Filters = Omit<ComponentProps<typeof ListFilters>, 'search' | 'go' | 'clear'>;

interface Props<Row> extends Omit<ListProps<Row>, 'isPaged'>, Filters {
  /** The title when the filters match no row. */
  none: string;
}

/** A list that is narrowed above and read page by page; its filters and its page are in the URL. */
export function FilteredList<Row extends { id: string }>({
  choices,
  hasPeriod,
  find,
  none,
  ...list
}: Props<Row>) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filterText = useFilterText(search, choices);
  const { clear: clearText } = useWords(words);
  // Each change is a place in the history, so that the browser's back undoes it.
  const go = (next: Search) => void navigate({ to: '.', search: next });
  const clear = (kind: 'quiet' | 'plain'): ReactNode => (
    <Button kind={kind} onClick={() => go({})}>
      {clearText}
    </Button>
  );
  const isClearAbove = isNarrowed(search) && list.read.data?.meta.total !== 0;
  const noneFound = { title: none, text: filterText, action: clear('plain') };
  return (
    <>
      <ListFilters {...{ search, choices, hasPeriod, find, go }} clear={isClearAbove && clear('quiet')} />
      <Card isFlush>
        <List lines={10} {...list} empty={isNarrowed(search) ? noneFound : list.empty} />
      </Card>
    </>
  );
}
