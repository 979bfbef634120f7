import type { RefundView } from '@plataforma/contracts';
import type { TimeZone } from '@plataforma/kernel';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/card/card.tsx';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import type { Column } from '../../components/table/table.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { methodWords, statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { RefundStatus } from '../charges/refunded.tsx';
import { ExportLink } from '../export/export-link.tsx';
import { amountColumn, timeColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { listQuery } from '../lists/list-query.ts';
import type { refundsSearch } from '../searches.ts';
import { refundsWords } from './words.ts';

const route = getRouteApi('/frame/refunds');

type Search = ReturnType<typeof refundsSearch>;

const filtersOf = ({ status, search, from, to }: Search) => ({
  status,
  search,
  ...periodQuery({ from, to }),
});

function refundsQuery(search: Search, timeZone: TimeZone) {
  const query = { ...filtersOf(search), timeZone, page: search.page ?? 1 };
  return listQuery({
    key: ['refund', 'list', query],
    read: () => call('GET /v1/refunds', { query: { ...query, sums: 'true' } }),
    poll: ({ status }) => status === 'PROCESSING',
  });
}

export function RefundsPage() {
  const words = useWords(refundsWords);
  const search = route.useSearch();
  const values = useWords(statusWords).refund;
  return (
    <Page
      title={words.refunds}
      actions={<ExportLink path="/v1/refunds" query={filtersOf(search)} name={words.refunds} />}
    >
      <FilteredList
        read={useQuery(refundsQuery(search, useZone()))}
        label={words.refunds}
        columns={useColumns()}
        choices={[{ name: 'status', label: words.status, all: words.all, values }]}
        lines={8}
        words={words}
        guide="refunds"
      />
    </Page>
  );
}

function useColumns(): Column<RefundView>[] {
  const words = useWords(refundsWords);
  const methods = useWords(methodWords);
  return [
    amountColumn({
      label: words.amount,
      to: '/charges/$id',
      idOf: ({ chargeId }) => chargeId,
      namesOf: ({ payerName, externalId }) => [payerName, externalId],
    }),
    { label: words.status, phone: 'firstEnd', cell: (refund) => <RefundStatus of={refund} /> },
    { label: words.order, isWide: true, cell: ({ externalId }) => externalId },
    { label: words.payer, phone: 'second', isWide: true, cell: ({ payerName }) => payerName },
    { label: words.method, cell: ({ paymentMethod }) => methods[paymentMethod] },
    { label: words.reason, phone: 'note', isWide: true, cell: ({ reason }) => reason },
    timeColumn(words.requested, 'requestedAt'),
  ];
}
