import type { AnswerTo } from '@plataforma/sdk/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Columns, Page, Stack } from '../../parts/card/card.tsx';
import { Details } from '../../parts/details/details.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Money } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { Failed } from '../failed.tsx';
import { AmountFigures } from './amount-figures.tsx';
import { balanceQuery } from './queries.ts';
import { Receivables } from './receivables.tsx';
import { balanceWords } from './words.ts';

type Balance = AnswerTo<'GET /v1/balance'>;

export function BalancePage() {
  const words = useWords(balanceWords);
  const balance = useQuery(balanceQuery);
  const actions = (
    <>
      <Link to="/statement" className={buttonClass()}>
        {words.toStatement}
      </Link>
      <Link to="/withdrawals/new" className={buttonClass('primary')}>
        {words.toWithdrawal}
      </Link>
    </>
  );
  return (
    <Page title={words.title} actions={actions}>
      {balance.data || !balance.error ? (
        <Amounts balance={balance.data} />
      ) : (
        <Card>
          <Failed error={balance.error} retry={balance.refetch} />
        </Card>
      )}
      <Columns>
        <Receivables />
        {balance.data && <Shares balance={balance.data} />}
      </Columns>
    </Page>
  );
}

/** What is rare is shown when it is there. */
function Amounts({ balance }: { balance: Balance | undefined }) {
  const words = useWords(balanceWords);
  const always = [
    { label: words.withdrawable, cents: balance?.withdrawableBalance },
    { label: words.pending, cents: balance?.pendingBalance },
    { label: words.reserved, cents: balance?.reservedBalance },
  ];
  const rare = [
    { label: words.blocked, cents: balance?.blockedBalance },
    { label: words.debt, cents: balance?.disputeDebt },
  ].filter(({ cents }) => cents);
  return <AmountFigures amounts={[...always, ...rare]} />;
}

function Shares({ balance }: { balance: Balance }) {
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
