import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Card, Figures, Page } from '../../parts/card/card.tsx';
import { Empty, Skeleton } from '../../parts/states/states.tsx';
import { Money } from '../../parts/values/values.tsx';
import { ApiError, environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { balanceQuery } from '../balance/queries.ts';
import { ChargeTable } from '../charges/charge-table.tsx';
import { latestChargesQuery } from '../charges/queries.ts';
import { chargesWords } from '../charges/words.ts';
import { Failed } from '../failed.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Volume } from './volume.tsx';
import { homeWords } from './words.ts';

const isTest = environment === 'sandbox';

export function HomePage() {
  const words = useWords(homeWords);
  const { data: balance, error } = useQuery(balanceQuery);
  // Why it may not be read is said once, and not by each part of the page.
  if (error instanceof ApiError && error.status === 403) {
    return (
      <Page title={words.title}>
        <Card>
          <Failed error={error} />
        </Card>
      </Page>
    );
  }
  return (
    <Page title={words.title}>
      <Balances />
      {balance && (isTest || balance.totalEarned === 0) && <FirstSteps isPaid={balance.totalEarned > 0} />}
      <Volume />
      <LatestCharges />
    </Page>
  );
}

function Balances() {
  const words = useWords(homeWords);
  const { data, error, refetch } = useQuery(balanceQuery);
  if (!data) return <Card>{error ? <Failed error={error} retry={refetch} /> : <Skeleton lines={2} />}</Card>;
  const figures = [
    { label: words.withdrawable, cents: data.withdrawableBalance },
    { label: words.pending, cents: data.pendingBalance },
    { label: words.reserved, cents: data.reservedBalance },
    ...(data.blockedBalance > 0 ? [{ label: words.blocked, cents: data.blockedBalance }] : []),
    ...(data.disputeDebt > 0 ? [{ label: words.debt, cents: data.disputeDebt }] : []),
    { label: words.earned, cents: data.totalEarned },
  ];
  return <Figures figures={figures.map(({ label, cents }) => ({ label, value: <Money cents={cents} /> }))} />;
}

function LatestCharges() {
  const words = useWords(homeWords);
  const { data, error, isFetching, refetch } = useQuery(latestChargesQuery);
  const all = (
    <Link to="/charges" search={{}}>
      {words.all}
    </Link>
  );
  return (
    <Card title={words.latest} action={all} isFlush>
      {!data && (error ? <Failed error={error} retry={refetch} /> : <Skeleton lines={5} />)}
      {data?.data.length === 0 && <Empty title={words.none} action={<ToNewCharge />} />}
      {data && data.data.length > 0 && (
        <ChargeTable label={words.latest} rows={data.data} isReading={isFetching} />
      )}
    </Card>
  );
}

function ToNewCharge() {
  const words = useWords(chargesWords);
  return (
    <Link to="/charges/new" className={buttonClass()}>
      {words.create}
    </Link>
  );
}
