import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Card } from '../../components/card/card.tsx';
import { catalogue, useWords } from '../../shared/language.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import type { Search } from '../search.ts';
import { List, type ListProps } from './list.tsx';
import { isNarrowed, ListFilters, useFilterText } from './list-filters.tsx';

const ownWords = catalogue({ clear: ['Limpar filtros', 'Clear filters'] });

type Filters = Pick<ComponentProps<typeof ListFilters>, 'choices' | 'hasPeriod'>;

interface Props<Row> extends Omit<ListProps<Row>, 'isPaged' | 'empty'>, Filters {
  words: {
    emptyTitle: string;
    emptyText: string;
    noneTitle: string;
    search: string;
    /** The hint of the search field. Only a list with a text search has this text. */
    searchHint?: string;
  };
  isSearched?: boolean;
  guide: ComponentProps<typeof GuideLink>['to'];
  /** The next step for an empty list: a button, and a terminal command that does the same. */
  action?: ReactNode;
  code?: string | undefined;
}

/** A list with filters and pages. The page's URL contains the filters and the page number. */
export function FilteredList<Row extends { id: string }>({
  choices,
  hasPeriod,
  words,
  isSearched = true,
  guide,
  action,
  code,
  ...list
}: Props<Row>) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filterText = useFilterText(search, choices);
  const { clear: clearText } = useWords(ownWords);
  // Each change of a filter adds an entry to the browser's history, so that the back button undoes the
  // change.
  const go = (next: Search) => void navigate({ to: '.', search: next });
  const clear = (kind: 'quiet' | 'plain'): ReactNode => (
    <Button kind={kind} onClick={() => go({})}>
      {clearText}
    </Button>
  );
  const isClearAbove = isNarrowed(search) && list.read.data?.meta.total !== 0;
  const { searchHint: hint } = words;
  const find = hint !== undefined && isSearched ? { label: words.search, hint } : undefined;
  const empty = isNarrowed(search)
    ? { title: words.noneTitle, text: filterText, action: clear('plain') }
    : { title: words.emptyTitle, text: words.emptyText, action, more: <GuideLink to={guide} />, code };
  return (
    <>
      <ListFilters {...{ search, choices, hasPeriod, find, go }} clear={isClearAbove && clear('quiet')} />
      <Card isFlush>
        <List lines={10} {...list} empty={empty} />
      </Card>
    </>
  );
}
