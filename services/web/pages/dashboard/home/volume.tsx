import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Card, Columns } from '../../parts/card/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { Segments } from '../../parts/tabs/tabs.tsx';
import { call } from '../../shared/api.ts';
import { count, day, daysAgo, money, percent, shortMoney } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { Read } from '../read.tsx';
import { approvalOf, type DayOfSales, salesByDay } from './sales-by-day.ts';
import { homeDays } from './search.ts';
import styles from './volume.module.css';
import { homeWords } from './words.ts';

const route = getRouteApi('/frame/');

function volumeQuery(days: number) {
  return queryOptions({
    queryKey: ['charge', 'volume', days],
    queryFn: () =>
      call('GET /v1/reports/volume', {
        query: { interval: 'day', startDate: daysAgo(days - 1), timeZone: 'America/Sao_Paulo' },
      }),
    select: ({ volumes }) => ({ sales: salesByDay(volumes, days), approval: approvalOf(volumes) }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** What was paid on each day of São Paulo, in money and in charges. */
export function Volume() {
  const words = useWords(homeWords);
  const navigate = useNavigate();
  const { days = '7' } = route.useSearch();
  const read = useQuery(volumeQuery(Number(days)));
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>{words.sales}</h2>
        <Segments
          label={words.period}
          value={days}
          options={homeDays.map((value) => ({ value, label: words.days(value) }))}
          onChange={(value) => void navigate({ to: '/', search: { days: value }, replace: true })}
        />
      </div>
      <Columns>
        <Card>
          <Read of={read} lines={6}>
            {({ sales }) => <Amounts sales={sales} />}
          </Read>
        </Card>
        <Card>
          <Read of={read} lines={6}>
            {({ sales, approval }) => <Counts sales={sales} approval={approval} />}
          </Read>
        </Card>
      </Columns>
    </>
  );
}

function Amounts({ sales }: { sales: readonly DayOfSales[] }) {
  const words = useWords(homeWords);
  const language = useLanguage();
  const points = sales.map(({ day: each, gross }) => ({ label: day(each, language), value: gross }));
  return (
    <>
      <Total label={words.volume} value={money(sumOf(points))} />
      <Chart
        title={words.volume}
        kind="line"
        points={points}
        format={money}
        short={shortMoney}
        none={words.noSales}
      />
    </>
  );
}

function Counts({ sales, approval }: { sales: readonly DayOfSales[]; approval: number | null }) {
  const words = useWords(homeWords);
  const language = useLanguage();
  const points = sales.map(({ day: each, paid }) => ({ label: day(each, language), value: paid }));
  const format = (value: number) => count(value, language);
  return (
    <>
      <Total label={words.paid} value={format(sumOf(points))} />
      {approval !== null && <p className={styles.total}>{words.approval(percent(approval, language))}</p>}
      <Chart title={words.paid} kind="bars" points={points} format={format} none={words.noSales} />
    </>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <p className={styles.total}>
      {label}
      <strong>{value}</strong>
    </p>
  );
}

function sumOf(points: readonly { value: number }[]): number {
  return points.reduce((sum, { value }) => sum + value, 0);
}
