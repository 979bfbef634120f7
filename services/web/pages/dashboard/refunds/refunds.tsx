import type { RefundView } from '@plataforma/contracts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { DateRange, periodQuery } from '../../parts/date-range/date-range.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import { Empty, Failed, Skeleton } from '../../parts/states/states.tsx';
import { type Column, Pager, rowLink, Table } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { POLL_MS } from '../../shared/live.ts';
import { statusWords } from '../../shared/statuses.ts';
import { type RefundsSearch, refundStatuses, refundsSearch } from './search.ts';
import { refundsWords } from './words.ts';

const route = getRouteApi('/frame/refunds');

function refundsQuery({ status, from, to, page = 1 }: RefundsSearch) {
  return queryOptions({
    queryKey: ['refund', 'list', { status, from, to, page }],
    queryFn: () => call('GET /v1/refunds', { query: { status, ...periodQuery({ from, to }), page } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((refund) => refund.status === 'PROCESSING') ? POLL_MS : false,
  });
}

export function RefundsPage() {
  const words = useWords(refundsWords);
  const search = route.useSearch();
  return (
    <Page title={words.title}>
      <RefundFilters search={search} />
      <Card isFlush>
        <List search={search} />
      </Card>
    </Page>
  );
}

function RefundFilters({ search }: { search: RefundsSearch }) {
  const words = useWords(refundsWords);
  const statuses = useWords(statusWords).refund;
  const navigate = useNavigate();

  function change(changed: Partial<Record<keyof RefundsSearch, string | undefined>>): void {
    const { page: _first, ...others } = search;
    void navigate({ to: '/refunds', search: refundsSearch({ ...others, ...changed }) });
  }

  return (
    <Filters>
      <Select
        label={words.status}
        name="status"
        value={search.status ?? ''}
        options={[
          { value: '', label: words.all },
          ...refundStatuses.map((value) => ({ value, label: statuses[value] })),
        ]}
        onChange={(event) => change({ status: event.target.value })}
      />
      <DateRange value={search} onChange={({ from, to }) => change({ from, to })} />
    </Filters>
  );
}

function List({ search }: { search: RefundsSearch }) {
  const words = useWords(refundsWords);
  const columns = useColumns();
  const { data, error, isFetching, refetch } = useQuery(refundsQuery(search));
  if (error && !data) return <Failed error={error} retry={refetch} />;
  if (!data) return <Skeleton lines={8} />;
  if (data.data.length === 0) {
    const isNarrowed = Object.values(search).some(Boolean);
    if (!isNarrowed) return <Empty title={words.emptyTitle} text={words.emptyText} />;
    const clear = (
      <Link to="/refunds" search={{}} className={buttonClass()}>
        {words.clear}
      </Link>
    );
    return <Empty title={words.noneTitle} action={clear} />;
  }
  const link = (page: number, text: string) => (
    <Link to="/refunds" search={{ ...search, page }} className={buttonClass('plain', 'small')}>
      {text}
    </Link>
  );
  return (
    <>
      <Table
        label={words.title}
        columns={columns}
        rows={data.data}
        keyOf={({ id }) => id}
        isReading={isFetching}
      />
      <Pager meta={data.meta} link={link} />
    </>
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
