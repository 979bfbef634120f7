import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Card, Columns } from '../../components/card/card.tsx';
import { AwaitedChart, Chart } from '../../components/chart/chart.tsx';
import layout from '../../components/layout.module.css';
import { Awaited } from '../../components/states/states.tsx';
import { Segments } from '../../components/tabs/tabs.tsx';
import { call } from '../../shared/api.ts';
import { useNow } from '../../shared/clock.ts';
import { count, day, daysAgo, money, share } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { shortMoney } from '../../shared/short-money.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { Failed } from '../failed.tsx';
import { homeDays } from '../searches.ts';
import { approvalOf, type DayOfSales, salesByDay } from './sales-by-day.ts';
import styles from './volume.module.css';
import { homeWords } from './words.ts';

const route = getRouteApi('/frame/');

const byDay = (days: number, now: number, zone: TimeZone) =>
  ({ interval: 'day', startDate: daysAgo(days - 1, now, zone) }) as const;

function volumeQuery(days: number, now: number, timeZone: TimeZone) {
  const query = { ...byDay(days, now, timeZone), timeZone };
  return queryOptions({
    queryKey: ['charge', 'volume', days, query],
    queryFn: () => call('GET /v1/reports/volume', { query }),
    select: ({ volumes }) => ({
      sales: salesByDay(volumes, { ...query, days }),
      approval: approvalOf(volumes),
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Starts the read of the sales before the chart is rendered. */
export function usePrefetchVolume(): void {
  const { days = '7' } = route.useSearch();
  usePrefetchQuery(volumeQuery(Number(days), useNow(), useZone()));
}

/**
 * Shows the sales of each day, as money and as a number of charges. The days are those of the account's time
 * zone.
 */
export function Volume() {
  const words = useWords(homeWords);
  const navigate = useNavigate();
  const { days = '7' } = route.useSearch();
  const now = useNow();
  const zone = useZone();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(volumeQuery(Number(days), now, zone));
  const points = (value: (sales: DayOfSales) => number) =>
    data?.sales.map((each) => ({ label: day(each.day, language), value: value(each) }));
  const inMoney = { format: money, short: (cents: number) => shortMoney(cents, language) };
  const inNumbers = (value: number) => count(value, language);
  return (
    <>
      <div className={layout.row}>
        <h2 className={styles.title}>{words.sales}</h2>
        <div className={styles.days}>
          <Segments
            label={words.period}
            value={days}
            options={homeDays.map((value) => ({ value, label: words.days(value) }))}
            onChange={(value) => void navigate({ to: '/', search: { days: value }, replace: true })}
          />
        </div>
        <ExportLink path="/v1/reports/volume" query={byDay(Number(days), now, zone)} name={words.sales} />
      </div>
      {!data && error ? (
        <Card>
          <Failed error={error} retry={refetch} />
        </Card>
      ) : (
        <Columns>
          <Sold title={words.volume} kind="line" points={points(({ gross }) => gross)} {...inMoney} />
          <Sold title={words.paid} kind="bars" points={points(({ paid }) => paid)} format={inNumbers}>
            {data && data.approval !== null && words.approval(share(data.approval, language))}
          </Sold>
        </Columns>
      )}
    </>
  );
}

interface SoldProps extends Omit<ComponentProps<typeof Chart>, 'points' | 'none'> {
  points: ComponentProps<typeof Chart>['points'] | undefined;
  children?: ReactNode;
}

/** The total of the sales and their chart, or placeholders of the same size. */
function Sold({ points, children, ...chart }: SoldProps) {
  const { noSales } = useWords(homeWords);
  return (
    <Card>
      <p className={styles.total}>
        {chart.title}
        <span className={styles.line}>
          <strong>
            {points ? chart.format(points.reduce((sum, { value }) => sum + value, 0)) : <Awaited />}
          </strong>
          {children}
        </span>
      </p>
      {points ? <Chart {...chart} points={points} none={noSales} /> : <AwaitedChart />}
    </Card>
  );
}
