import type { BalanceView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button/button.tsx';
import { Card, Columns, Page, Stack } from '../../components/card/card.tsx';
import { Details } from '../../components/details/details.tsx';
import { Table } from '../../components/table/table.tsx';
import { Money } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { BalanceFigures } from './balance-figures.tsx';
import { balanceQuery } from './queries.ts';
import { Receivables } from './receivables.tsx';
import { balanceWords } from './words.ts';

export function BalancePage() {
  const words = useWords(balanceWords);
  const { data } = useQuery(balanceQuery);
  const actions = (
    <>
      <Link to="/balance/month-end" className={buttonClass()}>
        {words.toMonthEnd}
      </Link>
      <Link to="/statement" className={buttonClass()}>
        {words.toStatement}
      </Link>
      <Link to="/withdrawals/new" className={buttonClass('primary')}>
        {words.toWithdrawal}
      </Link>
    </>
  );
  return (
    <Page title={words.balance} actions={actions}>
      <BalanceFigures />
      <Columns>
        <Receivables />
        {data && <Shares balance={data} />}
      </Columns>
    </Page>
  );
}

function Shares({ balance }: { balance: BalanceView }) {
  const words = useWords(balanceWords);
  const methods = useWords(methodWords);
  const { breakdown } = balance;
  const rows = [
    { method: methods.PIX, ...breakdown.PIX },
    { method: methods.CARD, ...breakdown.CARD },
  ];
  return (
    <Stack>
      <Card title={words.byMethod} isFlush>
        <Table
          label={words.byMethod}
          rows={rows}
          keyOf={({ method }) => method}
          columns={[
            { label: words.method, cell: ({ method }) => method, phone: 'first' },
            {
              label: words.available,
              cell: ({ availableBalance }) => <Money cents={availableBalance} />,
              isEnd: true,
              phone: 'firstEnd',
            },
            {
              label: words.pending,
              cell: ({ pendingBalance }) => <Money cents={pendingBalance} />,
              isEnd: true,
              isNamed: true,
              phone: 'secondEnd',
            },
          ]}
        />
      </Card>
      <Card title={words.totals}>
        <Details
          details={[
            { label: words.earned, value: <Money cents={balance.totalEarned} /> },
            { label: words.withdrawn, value: <Money cents={balance.totalWithdrawn} /> },
            { label: words.fees, value: <Money cents={balance.totalFeesPaid} /> },
          ]}
        />
      </Card>
    </Stack>
  );
}
