import type { WithdrawalView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { type Column, Pager, rowLink, Table } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { ExportLink } from '../export/export-link.tsx';
import { Read } from '../read.tsx';
import { WithdrawalFilters } from './filters.tsx';
import { withdrawalListQuery, withdrawalsQuery } from './queries.ts';
import type { WithdrawalsSearch } from './search.ts';
import { withdrawalWords } from './words.ts';

const route = getRouteApi('/frame/withdrawals');

export function WithdrawalsPage() {
  const words = useWords(withdrawalWords);
  const search = route.useSearch();
  const actions = (
    <>
      <ExportLink path="/v1/withdrawals" query={withdrawalListQuery(search)} name={words.title} />
      <Link to="/destinations" className={buttonClass()}>
        {words.destinations}
      </Link>
      <NewLink />
    </>
  );
  return (
    <Page title={words.title} actions={actions}>
      <WithdrawalFilters search={search} />
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
    {
      label: words.to,
      phone: 'second',
      cell: ({ pixKey, bankAccount }) => pixKey ?? bankAccount?.holderName ?? words.bankAccount,
    },
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
  if (!Object.values(search).some(Boolean))
    return <Empty title={words.emptyTitle} text={words.emptyText} action={<NewLink />} />;
  const clear = (
    <Link to="/withdrawals" search={{}} className={buttonClass()}>
      {words.clear}
    </Link>
  );
  return <Empty title={words.noneTitle} text={words.noneText} action={clear} />;
}
