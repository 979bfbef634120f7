import type { WithdrawalView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Page } from '../../parts/card/card.tsx';
import { type Column, rowLink } from '../../parts/table/table.tsx';
import { Money } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { statusColumn, timeColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { CreateLink } from '../lists/links.tsx';
import { choiceOf } from '../lists/list-filters.tsx';
import { withdrawalListQuery, withdrawalsQuery } from './queries.ts';
import { withdrawalFilters } from './search.ts';
import { withdrawalWords } from './words.ts';

const route = getRouteApi('/frame/withdrawals');

export function WithdrawalsPage() {
  const words = useWords(withdrawalWords);
  const search = route.useSearch();
  const choices = useChoices();
  const columns = useColumns();
  const read = useQuery(withdrawalsQuery(search, useZone()));
  const create = <CreateLink to="/withdrawals/new" text={words.newWithdrawal} />;
  const actions = (
    <>
      <ExportLink path="/v1/withdrawals" query={withdrawalListQuery(search)} name={words.withdrawals} />
      <Link to="/destinations" className={buttonClass()}>
        {words.destinations}
      </Link>
      {create}
    </>
  );
  return (
    <Page title={words.withdrawals} actions={actions}>
      <FilteredList
        {...{ choices, read, columns }}
        find={{ label: words.search, hint: words.searchHint }}
        label={words.withdrawals}
        empty={{
          title: words.emptyTitle,
          text: words.emptyText,
          action: create,
          more: <GuideLink to="payouts" />,
        }}
        none={words.noneTitle}
      />
    </Page>
  );
}

function useChoices() {
  const words = useWords(withdrawalWords);
  const { status, method } = withdrawalFilters;
  return [
    choiceOf(
      { name: 'status', label: words.status, all: words.all },
      status,
      useWords(statusWords).withdrawal,
    ),
    choiceOf({ name: 'method', label: words.method, all: words.allMethods }, method, words.methods),
  ];
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
    statusColumn(words.status, 'withdrawal'),
    {
      label: words.to,
      phone: 'second',
      cell: ({ pixKey, bankAccount }) => pixKey ?? bankAccount?.holderName ?? words.bankAccount,
    },
    { label: words.externalId, isWide: true, cell: ({ externalId }) => externalId },
    { label: words.net, isEnd: true, isWide: true, cell: ({ netAmount }) => <Money cents={netAmount} /> },
    timeColumn(words.created, 'createdAt'),
  ];
}
