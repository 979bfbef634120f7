import type { SummaryView } from '@plataforma/contracts';
import type { TimeZone } from '@plataforma/kernel';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Badge } from '../../components/badge/badge.tsx';
import { Button, IconButton } from '../../components/button/button.tsx';
import { Card, Page } from '../../components/card/card.tsx';
import {
  DateRange,
  monthOf,
  type Period,
  periodQuery,
  usePeriodText,
} from '../../components/date-range/date-range.tsx';
import layout from '../../components/layout.module.css';
import { call } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { daysAgo, documentText } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { POLL_MS } from '../../shared/live.ts';
import { useZone } from '../../shared/zone.ts';
import { monthAfter, monthText } from '../balance/months.ts';
import { ExportLink } from '../export/export-link.tsx';
import { Failed } from '../failed.tsx';
import { useAccount } from '../session/session.ts';
import styles from './month-end.module.css';
import { Sums } from './sums.tsx';
import { monthEndWords } from './words.ts';

const route = getRouteApi('/frame/balance/month-end');

/**
 * Returns the query of a period's sums. Its key begins with the balance query's key, because each change of
 * the balance also changes the sums of the current month.
 */
function summaryQuery(period: Period, timeZone: TimeZone) {
  const query = { ...periodQuery(period), timeZone };
  return queryOptions({
    queryKey: ['balance', 'summary', query],
    queryFn: () => call('GET /v1/statement/summary', { query }),
    refetchInterval: ({ state }) => (state.data?.isOver ? false : POLL_MS),
  });
}

export function MonthEndPage() {
  const words = useWords(monthEndWords);
  const zone = useZone();
  const search = route.useSearch();
  const navigate = useNavigate();
  const today = daysAgo(0, useNow(), zone);
  const lastMonth = monthOf(`${monthAfter(today.slice(0, 7), -1)}-01`);
  const period = search.from || search.to ? { from: search.from, to: search.to } : lastMonth;
  const go = (next: Period) => void navigate({ to: '.', search: next });
  const { data, error, refetch } = useQuery(summaryQuery(period, zone));
  const isOver = data ? data.isOver : period.to !== undefined && period.to < today;
  return (
    <Page
      title={words.title}
      back={<Link to="/balance">← {words.balance}</Link>}
      beside={<Badge tone={isOver ? 'good' : 'warn'}>{isOver ? words.closed : words.partial}</Badge>}
      actions={<Files period={period} />}
    >
      <div className={styles.bar}>
        <DateRange value={period} onChange={go} hasAnyTime={false} />
        <Months
          month={(period.from ?? period.to ?? today).slice(0, 7)}
          onMonth={(month) => go(monthOf(`${month}-01`))}
        />
      </div>
      {error && !data ? (
        <Card>
          <Failed error={error} retry={refetch} />
        </Card>
      ) : (
        <Closing period={period} summary={data} isOver={isOver} />
      )}
    </Page>
  );
}

function Months({ month, onMonth }: { month: string; onMonth: (month: string) => void }) {
  const words = useWords(monthEndWords);
  return (
    <div className={styles.months}>
      <IconButton icon="left" label={words.previousMonth} onClick={() => onMonth(monthAfter(month, -1))} />
      <IconButton icon="right" label={words.nextMonth} onClick={() => onMonth(monthAfter(month, 1))} />
    </div>
  );
}

function Files({ period }: { period: Period }) {
  const words = useWords(monthEndWords);
  const query = periodQuery(period);
  const file = { path: '/v1/statement', name: words.statementFile };
  return (
    <>
      <ExportLink {...file} query={{ ...query, order: 'asc' }} />
      <ExportLink {...file} query={query} as="ofx" />
      <Button icon="print" onClick={() => window.print()}>
        {words.print}
      </Button>
    </>
  );
}

interface ClosingProps {
  period: Period;
  summary: SummaryView | undefined;
  isOver: boolean;
}

function Closing({ period, summary, isOver }: ClosingProps) {
  const words = useWords(monthEndWords);
  const account = useAccount();
  const language = useLanguage();
  const zone = useZone();
  const periodText = usePeriodText(period);
  const { from = '', to } = period;
  const isMonth = from !== '' && monthOf(from).from === from && monthOf(from).to === to;
  const title = isMonth ? monthText(from.slice(0, 7), language) : periodText;
  const transactions = (
    <Link to="/statement" search={period}>
      {words.toStatement}
    </Link>
  );
  return (
    <>
      <p className={styles.owner}>
        {account?.companyName} · {documentText(account?.cnpj ?? '')}
      </p>
      <Card title={title.charAt(0).toUpperCase() + title.slice(1)} action={transactions} isFlush>
        <Sums label={words.title} summary={summary} />
      </Card>
      <p className={layout.soft}>
        {isOver ? words.closedText : words.partialText} {words.basis(zone)}
      </p>
    </>
  );
}
