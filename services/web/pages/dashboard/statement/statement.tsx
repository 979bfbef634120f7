import type { WalletTransactionView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Page } from '../../parts/card/card.tsx';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { Empty } from '../../parts/states/states.tsx';
import { type Column, Pager, rowLink, Table } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { useLanguage, useWords } from '../../shared/language.ts';
import { transactionWords } from '../../shared/transaction-words.ts';
import { ExportLink } from '../export/export-link.tsx';
import { Read } from '../read.tsx';
import { StatementFilters } from './filters.tsx';
import { transactionsQuery } from './queries.ts';
import type { StatementSearch } from './search.ts';
import { statementWords } from './words.ts';

const route = getRouteApi('/frame/statement');

export function StatementPage() {
  const words = useWords(statementWords);
  const language = useLanguage();
  const search = route.useSearch();
  const { from, to } = search;
  const period = periodQuery({ from, to });
  const file = { ...period, timeZone: 'America/Sao_Paulo', locale: language };
  const ofx = { ...period, timeZone: 'America/Sao_Paulo' };
  const back = <Link to="/balance">← {words.balance}</Link>;
  const actions = (
    <>
      <ExportLink path="/v1/statement" query={file} name={words.fileName} />
      <ExportLink path="/v1/statement" query={ofx} name={words.fileName} as="ofx" />
    </>
  );
  return (
    <Page title={words.title} back={back} actions={actions}>
      <StatementFilters search={search} />
      <Card isFlush>
        <Rows search={search} />
      </Card>
    </Page>
  );
}

function Rows({ search }: { search: StatementSearch }) {
  const words = useWords(statementWords);
  const columns = useColumns();
  const read = useQuery(transactionsQuery(search));
  return (
    <Read of={read} lines={12}>
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
                <Link to="/statement" search={{ ...search, page }} className={buttonClass('plain', 'small')}>
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

function useColumns(): Column<WalletTransactionView>[] {
  const words = useWords(statementWords);
  const types = useWords(transactionWords);
  return [
    {
      label: words.created,
      phone: 'second',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    { label: words.type, phone: 'first', cell: (row) => <Linked row={row} text={types[row.type]} /> },
    { label: words.externalId, isWide: true, cell: ({ externalId }) => externalId },
    { label: words.description, isWide: true, cell: ({ description }) => description },
    {
      label: words.amount,
      isEnd: true,
      phone: 'firstEnd',
      cell: ({ amount }) => <Money cents={amount} />,
    },
    {
      label: words.after,
      isEnd: true,
      phone: 'secondEnd',
      cell: ({ balanceAfter }) => <Money cents={balanceAfter} />,
    },
  ];
}

/** To what the row is of. */
function Linked({ row, text }: { row: WalletTransactionView; text: string }) {
  const { chargeId, withdrawalId } = row;
  if (chargeId) {
    return (
      <Link to="/charges/$id" params={{ id: chargeId }} className={rowLink}>
        {text}
      </Link>
    );
  }
  if (!withdrawalId) return text;
  return (
    <Link to="/withdrawals/$id" params={{ id: withdrawalId }} className={rowLink}>
      {text}
    </Link>
  );
}

function None({ search }: { search: StatementSearch }) {
  const words = useWords(statementWords);
  if (Object.values(search).some(Boolean)) {
    const clear = (
      <Link to="/statement" search={{}} className={buttonClass()}>
        {words.clear}
      </Link>
    );
    return <Empty title={words.noneTitle} text={words.noneText} action={clear} />;
  }
  const action = (
    <Link to="/charges/new" className={buttonClass('primary')}>
      {words.newCharge}
    </Link>
  );
  return <Empty title={words.emptyTitle} text={words.emptyText} action={action} />;
}
