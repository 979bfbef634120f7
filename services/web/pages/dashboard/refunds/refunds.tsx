import type { RefundView } from '@plataforma/contracts';
import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { Page } from '../../parts/card/card.tsx';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { type Column, rowLink } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { POLL_MS } from '../../shared/live.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { type RefundsSearch, refundStatuses, refundsSearch } from './search.ts';
import { refundsWords } from './words.ts';

const route = getRouteApi('/frame/refunds');

const filtersOf = ({ status, from, to }: RefundsSearch) => ({ status, ...periodQuery({ from, to }) });

function refundsQuery(search: RefundsSearch, timeZone: TimeZone) {
  const query = { ...filtersOf(search), timeZone, page: search.page ?? 1 };
  return queryOptions({
    queryKey: ['refund', 'list', query],
    queryFn: () => call('GET /v1/refunds', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((refund) => refund.status === 'PROCESSING') ? POLL_MS : false,
  });
}

export function RefundsPage() {
  const words = useWords(refundsWords);
  const statuses = useWords(statusWords).refund;
  const search = route.useSearch();
  const navigate = useNavigate();
  const columns = useColumns();
  const read = useQuery(refundsQuery(search, useZone()));
  const status = {
    ...{ name: 'status', label: words.status, all: words.all },
    options: refundStatuses.map((value) => ({ value, label: statuses[value] })),
  };
  return (
    <Page
      title={words.title}
      actions={<ExportLink path="/v1/refunds" query={filtersOf(search)} name={words.title} />}
    >
      <FilteredList
        {...{ search, read, columns }}
        choices={[status]}
        go={(next) => void navigate({ to: '/refunds', search: refundsSearch(next) })}
        label={words.title}
        lines={8}
        link={(page, text, className) => (
          <Link to="/refunds" search={{ ...search, page }} className={className}>
            {text}
          </Link>
        )}
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
    { label: words.status, phone: 'firstEnd', cell: ({ status }) => <Status of="refund" status={status} /> },
    { label: words.reason, phone: 'second', isWide: true, cell: ({ reason }) => reason ?? '—' },
    {
      label: words.requested,
      phone: 'secondEnd',
      isEnd: true,
      cell: ({ requestedAt }) => <Time at={requestedAt} isRelative />,
    },
  ];
}
