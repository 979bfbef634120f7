import type { WithdrawalView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { buttonClass } from '../../parts/button/button.tsx';
import { Page } from '../../parts/card/card.tsx';
import { Icon } from '../../parts/icon/icon.tsx';
import { type Column, rowLink } from '../../parts/table/table.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { GuideLink } from '../guide/guide-link.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import type { Choice } from '../lists/list-filters.tsx';
import { withdrawalListQuery, withdrawalsQuery } from './queries.ts';
import { withdrawalFilters, withdrawalsSearch } from './search.ts';
import { withdrawalWords } from './words.ts';

const route = getRouteApi('/frame/withdrawals');

export function WithdrawalsPage() {
  const words = useWords(withdrawalWords);
  const search = route.useSearch();
  const navigate = useNavigate();
  const choices = useChoices();
  const columns = useColumns();
  const read = useQuery(withdrawalsQuery(search, useZone()));
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
      <FilteredList
        {...{ search, choices, read, columns }}
        find={{ label: words.search, hint: words.searchHint }}
        go={(next) => void navigate({ to: '/withdrawals', search: withdrawalsSearch(next) })}
        label={words.title}
        link={(page, text, className) => (
          <Link to="/withdrawals" search={{ ...search, page }} className={className}>
            {text}
          </Link>
        )}
        empty={{
          title: words.emptyTitle,
          text: words.emptyText,
          action: <NewLink />,
          more: <GuideLink to="payouts" />,
        }}
        none={words.noneTitle}
      />
    </Page>
  );
}

function useChoices(): Choice[] {
  const words = useWords(withdrawalWords);
  const statuses = useWords(statusWords).withdrawal;
  return [
    {
      ...{ name: 'status', label: words.status, all: words.all },
      options: withdrawalFilters.statuses.map((value) => ({ value, label: statuses[value] })),
    },
    {
      ...{ name: 'method', label: words.method, all: words.allMethods },
      options: withdrawalFilters.methods.map((value) => ({ value, label: words.methods[value] })),
    },
  ];
}

function NewLink() {
  const words = useWords(withdrawalWords);
  return (
    <Link to="/withdrawals/new" className={buttonClass('primary')}>
      <Icon name="plus" />
      {words.create}
    </Link>
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
