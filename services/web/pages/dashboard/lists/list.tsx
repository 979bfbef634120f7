import type { SumsView } from '@plataforma/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { buttonClass } from '../../components/button/button.tsx';
import { Empty } from '../../components/states/states.tsx';
import { type Column, Pager, Table } from '../../components/table/table.tsx';
import { Totals } from '../../components/table/totals.tsx';
import { catalogue, useWords } from '../../shared/language.ts';
import { Read } from '../read.tsx';

const words = catalogue({
  past: ['A lista termina antes desta página', 'The list ends before this page'],
  last: ['Última página', 'Last page'],
});

type PageMeta = ComponentProps<typeof Pager>['meta'] & { sums?: SumsView | undefined };

export interface ListProps<Row> {
  read: Pick<
    UseQueryResult<{ data: readonly Row[]; meta: PageMeta }>,
    'data' | 'error' | 'refetch' | 'failureReason' | 'isPaused' | 'isFetching'
  >;
  label: string;
  columns: readonly Column<Row>[];
  lines?: number;
  /** The title, text and next step that an empty list shows. */
  empty: ComponentProps<typeof Empty>;
  /** False for a list that the API returns without pages. */
  isPaged?: boolean;
}

/** Shows one page of a list as a table. The address in the browser contains the number of this page. */
export function List<Row extends { id: string }>({
  read,
  label,
  columns,
  lines,
  empty,
  isPaged = true,
}: ListProps<Row>) {
  const { past, last } = useWords(words);
  return (
    <Read of={read} lines={lines}>
      {({ data, meta }) => {
        if (meta.total === 0) return <Empty {...empty} />;
        if (data.length === 0) {
          return <Empty title={past} action={<PageLink page={meta.pages} text={last} size="normal" />} />;
        }
        const table = { label, columns, rows: data, isReading: read.isFetching };
        return (
          <>
            <Table {...table} keyOf={({ id }) => id} />
            {meta.sums && <Totals sums={meta.sums} total={meta.total} />}
            {isPaged && (
              <Pager meta={meta} link={(page, text) => <PageLink page={page} text={text} size="small" />} />
            )}
          </>
        );
      }}
    </Read>
  );
}

function PageLink({ page, text, size }: { page: number; text: string; size: 'normal' | 'small' }) {
  return (
    <Link to="." search={(search) => ({ ...search, page })} className={buttonClass('plain', size)}>
      {text}
    </Link>
  );
}
