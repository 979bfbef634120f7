import type { RefundView } from '@plataforma/contracts';
import type { TimeZone } from '@plataforma/kernel';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Page } from '../../parts/card/card.tsx';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { type Column, rowLink } from '../../parts/table/table.tsx';
import { Money } from '../../parts/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { statusColumn, timeColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { choiceOf } from '../lists/list-filters.tsx';
import { listQuery } from '../lists/list-query.ts';
import { refundStatuses, type refundsSearch } from './search.ts';
import { refundsWords } from './words.ts';

const route = getRouteApi('/frame/refunds');

type Search = ReturnType<typeof refundsSearch>;

const filtersOf = ({ status, from, to }: Search) => ({ status, ...periodQuery({ from, to }) });

function refundsQuery(search: Search, timeZone: TimeZone) {
  const query = { ...filtersOf(search), timeZone, page: search.page ?? 1 };
  return listQuery({
    key: ['refund', 'list', query],
    read: () => call('GET /v1/refunds', { query }),
    poll: ({ status }) => status === 'PROCESSING',
  });
}

export function RefundsPage() {
  const words = useWords(refundsWords);
  const statuses = useWords(statusWords).refund;
  const search = route.useSearch();
  const columns = useColumns();
  const read = useQuery(refundsQuery(search, useZone()));
  const status = { name: 'status', label: words.status, all: words.all };
  return (
    <Page
      title={words.refunds}
      actions={<ExportLink path="/v1/refunds" query={filtersOf(search)} name={words.refunds} />}
    >
      <FilteredList
        {...{ read, columns }}
        choices={[choiceOf(status, refundStatuses, statuses)]}
        label={words.refunds}
        lines={8}
        empty={{ title: words.emptyTitle, text: words.emptyText, more: <GuideLink to="refunds" /> }}
        none={words.noneTitle}
      />
    </Page>
  );
}

function useColumns(): Column<RefundView>[] {
  const words = useWords(refundsWords);
  return [
    {
      label: words.amount,
      phone: 'first',
      cell: ({ chargeId, amount }) => (
        <Link to="/charges/$id" params={{ id: chargeId }} className={rowLink}>
          <Money cents={amount} />
        </Link>
      ),
    },
    statusColumn(words.status, 'refund'),
    { label: words.reason, phone: 'second', isWide: true, cell: ({ reason }) => reason ?? '—' },
    timeColumn(words.requested, 'requestedAt'),
  ];
}
