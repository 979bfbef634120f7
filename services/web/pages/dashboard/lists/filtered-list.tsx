import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../parts/button/button.tsx';
import { Card } from '../../parts/card/card.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { catalogue, useWords } from '../../shared/language.ts';
import { Read } from '../read.tsx';
import { isNarrowed, ListFilters, type ListFiltersProps, useFilterText } from './list-filters.tsx';
import { ListPage } from './list-page.tsx';

const words = catalogue({
  clear: ['Limpar filtros', 'Clear filters'],
});

interface PageOf<Row> {
  data: readonly Row[];
  meta: ComponentProps<typeof ListPage>['meta'];
}

interface Props<Row> extends Omit<ListFiltersProps, 'clear'> {
  read: Pick<
    UseQueryResult<PageOf<Row>>,
    'data' | 'error' | 'refetch' | 'failureReason' | 'isPaused' | 'isFetching'
  >;
  label: string;
  columns: readonly Column<Row>[];
  /** Of the skeleton. */
  lines?: number;
  /** To another page of the same list. */
  link: ComponentProps<typeof ListPage>['link'];
  /** Without a row and without filters: what the list is for, and the next step. */
  empty: ComponentProps<typeof Empty>;
  /** Without a row that the filters let through. */
  none: string;
}

/** A list that is narrowed above and read page by page; its filters and its page are in the URL. */
export function FilteredList<Row extends { id: string }>({
  read,
  label,
  columns,
  lines = 10,
  link,
  empty,
  none,
  ...filters
}: Props<Row>) {
  const { search, choices, go } = filters;
  const filterText = useFilterText(search, choices);
  const { clear: clearText } = useWords(words);
  const clear = (kind: 'quiet' | 'plain') => (
    <Button kind={kind} onClick={() => go({})}>
      {clearText}
    </Button>
  );
  const isClearAbove = isNarrowed(search) && read.data?.meta.total !== 0;

  function rowsOf({ data, meta }: PageOf<Row>): ReactNode {
    if (meta.total === 0) {
      if (!isNarrowed(search)) return <Empty {...empty} />;
      return <Empty title={none} text={filterText} action={clear('plain')} />;
    }
    return (
      <ListPage meta={meta} hasRows={data.length > 0} link={link}>
        <Table
          label={label}
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          isReading={read.isFetching}
        />
      </ListPage>
    );
  }

  return (
    <>
      <ListFilters {...filters} clear={isClearAbove && clear('quiet')} />
      <Card isFlush>
        <Read of={read} lines={lines}>
          {rowsOf}
        </Read>
      </Card>
    </>
  );
}
