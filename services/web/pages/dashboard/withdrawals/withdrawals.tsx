import type { WithdrawalView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button/button.tsx';
import { Page } from '../../components/card/card.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Money } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { amountColumn, statusColumn, timeColumn } from '../lists/columns.tsx';
import { FilteredList } from '../lists/filtered-list.tsx';
import { CreateLink } from '../lists/links.tsx';
import { withdrawalListQuery, withdrawalsQuery } from './queries.ts';
import { withdrawalWords } from './words.ts';

const route = getRouteApi('/frame/withdrawals');

export function WithdrawalsPage() {
  const words = useWords(withdrawalWords);
  const search = route.useSearch();
  const statuses = useWords(statusWords).withdrawal;
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
        read={useQuery(withdrawalsQuery(search, useZone()))}
        label={words.withdrawals}
        columns={useColumns()}
        choices={[
          { name: 'status', label: words.status, all: words.all, values: statuses },
          { name: 'method', label: words.method, all: words.allMethods, values: words.methods },
        ]}
        words={words}
        action={create}
        guide="payouts"
      />
    </Page>
  );
}

function useColumns(): Column<WithdrawalView>[] {
  const words = useWords(withdrawalWords);
  const payeeOf = ({ pixKey, bankAccount }: WithdrawalView) =>
    pixKey ?? bankAccount?.holderName ?? words.bankAccount;
  return [
    amountColumn({
      label: words.amount,
      to: '/withdrawals/$id',
      namesOf: (withdrawal) => [payeeOf(withdrawal), withdrawal.externalId],
    }),
    statusColumn(words.status, 'withdrawal'),
    {
      label: words.to,
      phone: 'second',
      cell: payeeOf,
    },
    { label: words.externalId, isWide: true, cell: ({ externalId }) => externalId },
    { label: words.net, isEnd: true, isWide: true, cell: ({ netAmount }) => <Money cents={netAmount} /> },
    timeColumn(words.created, 'createdAt'),
  ];
}
