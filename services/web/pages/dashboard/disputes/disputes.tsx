import type { DisputeInListView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import { Empty, Failed, Skeleton } from '../../parts/states/states.tsx';
import { type Column, Pager, rowLink, Table } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { Deadline } from './deadline.tsx';
import { disputesQuery } from './queries.ts';
import { useReasonText } from './reasons.ts';
import { type DisputesSearch, disputeStatuses, disputesSearch } from './search.ts';
import { disputesWords } from './words.ts';

const route = getRouteApi('/frame/disputes');

export function DisputesPage() {
  const words = useWords(disputesWords);
  const statuses = useWords(statusWords).dispute;
  const search = route.useSearch();
  const navigate = useNavigate();
  return (
    <Page title={words.title}>
      <Filters>
        <Select
          label={words.status}
          name="status"
          value={search.status ?? ''}
          options={[
            { value: '', label: words.all },
            ...disputeStatuses.map((value) => ({ value, label: statuses[value] })),
          ]}
          onChange={(event) =>
            void navigate({ to: '/disputes', search: disputesSearch({ status: event.target.value }) })
          }
        />
      </Filters>
      <Card isFlush>
        <List search={search} />
      </Card>
    </Page>
  );
}

function List({ search }: { search: DisputesSearch }) {
  const words = useWords(disputesWords);
  const columns = useColumns();
  const { data, error, isFetching, refetch } = useQuery(disputesQuery(search));
  if (error && !data) return <Failed error={error} retry={refetch} />;
  if (!data) return <Skeleton lines={8} />;
  if (data.data.length === 0) {
    if (!search.status) return <Empty title={words.emptyTitle} text={words.emptyText} />;
    const clear = (
      <Link to="/disputes" search={{}} className={buttonClass()}>
        {words.clear}
      </Link>
    );
    return <Empty title={words.noneTitle} action={clear} />;
  }
  const link = (page: number, text: string) => (
    <Link to="/disputes" search={{ ...search, page }} className={buttonClass('plain', 'small')}>
      {text}
    </Link>
  );
  return (
    <>
      <Table
        label={words.title}
        columns={columns}
        rows={byDeadline(data.data)}
        keyOf={({ id }) => id}
        isReading={isFetching}
      />
      <Pager meta={data.meta} link={link} />
    </>
  );
}

/** What is to be answered first comes first; what is decided keeps the order of the API. */
function byDeadline(rows: readonly DisputeInListView[]): DisputeInListView[] {
  const open = rows.filter(({ status }) => status === 'OPEN');
  const others = rows.filter(({ status }) => status !== 'OPEN');
  return [...open.sort((one, other) => one.deadline.localeCompare(other.deadline)), ...others];
}

function useColumns(): Column<DisputeInListView>[] {
  const words = useWords(disputesWords);
  const reason = useReasonText();
  return [
    {
      label: words.amount,
      phone: 'first',
      cell: ({ id, amount }) => (
        <Link to="/disputes/$id" params={{ id }} className={rowLink}>
          <Money cents={amount} />
        </Link>
      ),
    },
    { label: words.status, phone: 'firstEnd', cell: ({ status }) => <Status of="dispute" status={status} /> },
    {
      label: words.deadline,
      phone: 'second',
      cell: ({ deadline, status }) => <Deadline deadline={deadline} status={status} />,
    },
    { label: words.reason, isWide: true, cell: (dispute) => reason(dispute.reason) },
    {
      label: words.created,
      phone: 'secondEnd',
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} isRelative />,
    },
  ];
}
