import type { WithdrawalView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { Select } from '../../parts/field/field.tsx';
import { Filters } from '../../parts/filters/filters.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { type Column, Pager, rowLink, Table } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { Read } from '../read.tsx';
import { withdrawalsQuery } from './queries.ts';
import { type WithdrawalsSearch, withdrawalStatuses, withdrawalsSearch } from './search.ts';
import { withdrawalWords } from './words.ts';

const route = getRouteApi('/frame/withdrawals');

export function WithdrawalsPage() {
  const words = useWords(withdrawalWords);
  const search = route.useSearch();
  const actions = (
    <>
      <Link to="/destinations" className={buttonClass()}>
        {words.destinations}
      </Link>
      <NewLink />
    </>
  );
  return (
    <Page title={words.title} actions={actions}>
      <StatusFilter search={search} />
      <Card isFlush>
        <List search={search} />
      </Card>
    </Page>
  );
}

function NewLink() {
  const words = useWords(withdrawalWords);
  return (
    <Link to="/withdrawals/new" className={buttonClass('primary')}>
      {words.create}
    </Link>
  );
}

function StatusFilter({ search }: { search: WithdrawalsSearch }) {
  const words = useWords(withdrawalWords);
  const statuses = useWords(statusWords).withdrawal;
  const navigate = useNavigate();
  return (
    <Filters>
      <Select
        label={words.status}
        name="status"
        value={search.status ?? ''}
        options={[
          { value: '', label: words.all },
          ...withdrawalStatuses.map((value) => ({ value, label: statuses[value] })),
        ]}
        onChange={({ target }) =>
          void navigate({ to: '/withdrawals', search: withdrawalsSearch({ status: target.value }) })
        }
      />
    </Filters>
  );
}

function List({ search }: { search: WithdrawalsSearch }) {
  const words = useWords(withdrawalWords);
  const columns = useColumns();
  const read = useQuery(withdrawalsQuery(search));
  return (
    <Read of={read} lines={10}>
      {({ data, meta }) => {
        if (data.length === 0) return <None search={search} />;
        return (
          <>
            <Table
              label={words.title}
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
              isReading={read.isFetching}
            />
            <Pager
              meta={meta}
              link={(page, text) => (
                <Link
                  to="/withdrawals"
                  search={{ ...search, page }}
                  className={buttonClass('plain', 'small')}
                >
                  {text}
                </Link>
              )}
            />
          </>
        );
      }}
    </Read>
  );
}

function useColumns(): Column<WithdrawalView>[] {
  const words = useWords(withdrawalWords);
  return [
    {
      label: words.amount,
      phone: 'first',
      cell: ({ id, amount }) => (
        <Link to="/withdrawals/$id" params={{ id }} className={rowLink}>
          <Money cents={amount} />
        </Link>
      ),
    },
    {
      label: words.status,
      phone: 'firstEnd',
      cell: ({ status }) => <Status of="withdrawal" status={status} />,
    },
    { label: words.to, phone: 'second', cell: ({ pixKey }) => pixKey ?? words.bankAccount },
    { label: words.externalId, isWide: true, cell: ({ externalId }) => externalId },
    { label: words.net, isEnd: true, isWide: true, cell: ({ netAmount }) => <Money cents={netAmount} /> },
    {
      label: words.created,
      phone: 'secondEnd',
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} isRelative />,
    },
  ];
}

function None({ search }: { search: WithdrawalsSearch }) {
  const words = useWords(withdrawalWords);
  if (search.status === undefined)
    return <Empty title={words.emptyTitle} text={words.emptyText} action={<NewLink />} />;
  const clear = (
    <Link to="/withdrawals" search={{}} className={buttonClass()}>
      {words.clear}
    </Link>
  );
  return <Empty title={words.noneTitle} text={words.noneText} action={clear} />;
}
