import type { WalletTransactionView } from '@plataforma/contracts';
import type { TimeZone } from '@plataforma/kernel';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button/button.tsx';
import { Page } from '../../components/card/card.tsx';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import { type Column, minor } from '../../components/table/table.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { platformWords, transactionWords, useMovementText } from '../../shared/transaction-words.ts';
import { useZone } from '../../shared/zone.ts';
import { useRefundedText } from '../charges/refunded.tsx';
import { ExportLink } from '../export/export-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { RowLink } from '../lists/links.tsx';
import { listQuery } from '../lists/list-query.ts';
import type { StatementSearch } from '../searches.ts';
import { type StatementRow, withPartialRefunds } from './partial-refunds.ts';
import { statementWords } from './words.ts';

/**
 * Returns the query of the statement. Its key begins with the balance query's key, so that both are refreshed
 * together. Each change of the balance adds a row to the statement.
 */
function transactionsQuery(
  { view, type, flow, search, from, to, page = 1 }: StatementSearch,
  timeZone: TimeZone,
) {
  const slice = { ...periodQuery({ from, to }), timeZone, page };
  const query = { type, flow, search, ...slice };
  return listQuery({
    key: ['balance', 'transactions', view, query],
    read: async () =>
      withPartialRefunds(
        view
          ? await call('GET /v1/statement', { query: { view, ...slice } })
          : await call('GET /v1/transactions', { query }),
      ),
  });
}

const route = getRouteApi('/frame/statement');

export function StatementPage() {
  const words = useWords(statementWords);
  const search = route.useSearch();
  const back = <Link to="/balance">← {words.balance}</Link>;
  const newCharge = (
    <Link to="/charges/new" className={buttonClass('primary')}>
      {words.createCharge}
    </Link>
  );
  return (
    <Page title={words.title} back={back} actions={<Files search={search} />}>
      <FilteredList
        read={useQuery(transactionsQuery(search, useZone()))}
        label={words.title}
        columns={useColumns(search.search !== undefined)}
        choices={useChoices(search)}
        isSearched={!search.view}
        lines={12}
        words={words}
        action={newCharge}
        guide="reconciliation"
      />
    </Page>
  );
}

function Files({ search: { view, from, to } }: { search: StatementSearch }) {
  const words = useWords(statementWords);
  const query = { ...(view ? { view } : {}), ...periodQuery({ from, to }) };
  const name = view ? words.availableFile : words.fileName;
  return (
    <>
      <ExportLink path="/v1/statement" query={{ ...query, order: 'asc' }} name={name} />
      <ExportLink path="/v1/statement" query={query} name={name} as="ofx" />
    </>
  );
}

function useChoices({ view }: StatementSearch) {
  const words = useWords(statementWords);
  const types = useWords(transactionWords);
  const views = {
    name: 'view',
    label: words.view,
    all: words.ledger,
    values: { available: words.available },
  };
  if (view) return [views];
  return [
    views,
    { name: 'flow', label: words.flow, all: words.all, values: { in: words.in, out: words.out } },
    { name: 'type', label: words.type, all: words.allTypes, values: types },
  ];
}

function useColumns(isFound: boolean): Column<StatementRow>[] {
  const words = useWords(statementWords);
  const movementText = useMovementText();
  const ofPlatform: Readonly<Record<string, string>> = useWords(platformWords);
  const refundedText = useRefundedText();
  const textOf = (row: StatementRow): string => {
    if (row.part !== null) return refundedText('charge', 'REFUNDED', row.part);
    return (isByPlatform(row) && ofPlatform[row.description]) || movementText(row);
  };
  return [
    {
      label: words.created,
      phone: 'second',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      label: words.type,
      phone: 'first',
      cell: (row) => <Linked row={row} text={textOf(row)} />,
    },
    { label: words.externalId, isWide: true, cell: ({ externalId }) => externalId },
    {
      label: words.description,
      isWide: true,
      phone: 'note',
      cell: (row) => <Description of={row} isFound={isFound} />,
    },
    {
      label: words.amount,
      isEnd: true,
      phone: 'firstEnd',
      cell: ({ amount }) => <Money cents={amount} />,
    },
    {
      label: words.balanceAfter,
      isEnd: true,
      isNamed: true,
      phone: 'secondEnd',
      cell: ({ balanceAfter }) => <Money cents={balanceAfter} />,
    },
  ];
}

/**
 * Returns whether the platform wrote the description. It checks own properties only, because a free text may
 * be the name of an inherited property, such as `constructor`.
 */
function isByPlatform({ description }: WalletTransactionView): boolean {
  return Object.hasOwn(platformWords.en, description);
}

interface DescriptionProps {
  of: WalletTransactionView;
  /**
   * True in the results of a search. The row then shows the API's text, because that text contains the words
   * of the search.
   */
  isFound: boolean;
}

/**
 * The description of a row. The type and a link usually identify the row; a correction has no link and shows
 * its reason.
 */
function Description({ of, isFound }: DescriptionProps) {
  const { chargeId, withdrawalId, paymentMethod, description } = of;
  const methods = useWords(methodWords);
  const { byPlatform } = useWords(statementWords);
  if (!(chargeId || withdrawalId || isByPlatform(of))) return description;
  if (isFound) return <span lang="en">{description}</span>;
  if (isByPlatform(of)) return byPlatform;
  return paymentMethod && <span className={minor}>{methods[paymentMethod]}</span>;
}

function Linked({ row, text }: { row: WalletTransactionView; text: string }) {
  const { chargeId, withdrawalId } = row;
  const id = chargeId ?? withdrawalId;
  if (!id) return text;
  return (
    <RowLink to={chargeId ? '/charges/$id' : '/withdrawals/$id'} id={id}>
      {text}
    </RowLink>
  );
}
