import { Badge, Status } from '../../parts/badge/badge.tsx';
import { Card, Figures } from '../../parts/card/card.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { CopyText } from '../../parts/copy/copy.tsx';
import { Details } from '../../parts/details/details.tsx';
import { Json } from '../../parts/json/json.tsx';
import { Table } from '../../parts/table/table.tsx';
import { Timeline } from '../../parts/timeline/timeline.tsx';
import { Money, Time } from '../../parts/values/values.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { shortMoney } from '../../shared/short-money.ts';
import styles from './parts.module.css';
import { showcaseWords } from './words.ts';

const AT = '2026-11-22T22:28:00.000Z';
const TONES = ['good', 'warn', 'bad', 'neutral', 'accent'] as const;
const ROWS = [
  { id: 'a', amount: 123_456, status: 'PAID' },
  { id: 'b', amount: 4_590, status: 'PENDING' },
];
const DAYS = [1_750_00, 2_400_00, 1_500_00, 3_050_00, 2_850_00, 4_000_00, 15_660_54];
const POINTS = DAYS.map((value, at) => ({ label: `${16 + at}/11`, value }));

export function ValueSamples() {
  const { sample } = useWords(showcaseWords);
  return (
    <>
      <Card title="Badge, Status, Money, Time, CopyText">
        <div className={styles.row}>
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <Status of="charge" status="PAID" />
          <Money cents={123_456} />
          <Time at={AT} />
          <CopyText text="01a20560-e3f3-7e02-a641-4a41a6d06057" />
        </div>
      </Card>
      <Figures
        figures={ROWS.map(({ id, amount }) => ({ label: `Figures ${id}`, value: <Money cents={amount} /> }))}
      />
      <Card title="Table" isFlush>
        <Table
          label="Table"
          rows={ROWS}
          keyOf={({ id }) => id}
          columns={[
            { label: 'Money', phone: 'first', cell: ({ amount }) => <Money cents={amount} /> },
            {
              label: 'Status',
              phone: 'firstEnd',
              cell: ({ status }) => <Status of="charge" status={status} />,
            },
            { label: 'Time', isEnd: true, phone: 'second', cell: () => <Time at={AT} /> },
          ]}
        />
      </Card>
      <Card title="Details">
        <Details details={[{ label: 'ID', value: sample, copy: sample }]} />
      </Card>
      <Card title="Timeline">
        <Timeline
          steps={[
            { key: 'a', title: sample, note: sample, tone: 'warn' },
            { key: 'b', title: sample, at: AT, tone: 'good' },
            { key: 'c', title: sample, at: AT },
          ]}
        />
      </Card>
      <Card title="Json">
        <Json value={{ event: 'charge.paid', data: { amount: 2500 } }} />
      </Card>
    </>
  );
}

export function ChartSamples() {
  return (
    <>
      {(['line', 'bars'] as const).map((kind) => (
        <Card key={kind} title={`Chart ${kind}`}>
          <Chart
            title={`Chart ${kind}`}
            kind={kind}
            points={POINTS}
            format={money}
            short={(cents) => shortMoney(cents, 'pt-BR')}
            none="None"
          />
        </Card>
      ))}
    </>
  );
}
