import type { SummaryView } from '@plataforma/contracts';
import { Awaited } from '../../components/states/states.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Money } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { monthEndWords } from './words.ts';

type Movement = SummaryView['movements'][number];
type Method = NonNullable<Movement['paymentMethod']>;

const ofCharges = ['PAYMENT', 'FEE', 'REFUND', 'DISPUTE'] as const;
const others = ['WITHDRAWAL', 'WITHDRAWAL_FEE', 'ADJUSTMENT', 'BLOCK'] as const;

/** A line of the table. Without `types` it shows a balance. */
interface Line {
  id: 'opening' | 'netSales' | 'closing' | Movement['type'];
  types?: readonly Movement['type'][];
  hasMethods?: boolean;
  isSum?: boolean;
}

const lines: readonly Line[] = [
  { id: 'opening', isSum: true },
  ...ofCharges.map((type) => ({ id: type, types: [type], hasMethods: true })),
  { id: 'netSales', types: ofCharges, hasMethods: true, isSum: true },
  ...others.map((type) => ({ id: type, types: [type] })),
  { id: 'closing', isSum: true },
];

/** The table of a period's sums. While the sums are read, every amount has a placeholder. */
export function Sums({ label, summary }: { label: string; summary: SummaryView | undefined }) {
  const words = useWords(monthEndWords);
  const methods = useWords(methodWords);
  const moved = summary?.movements ?? [];
  const hasBoleto = moved.some(({ paymentMethod }) => paymentMethod === 'BOLETO');
  const methodColumn = (method: Method, phone: Column<Line>['phone']): Column<Line> => ({
    label: methods[method],
    isEnd: true,
    isNamed: true,
    ...(phone && { phone }),
    cell: ({ types = [], hasMethods, isSum }) =>
      hasMethods && (
        <Amount
          isSum={isSum}
          cents={
            summary &&
            sumOf(
              moved.filter((row) => row.paymentMethod === method),
              types,
            )
          }
        />
      ),
  });
  const columns: Column<Line>[] = [
    {
      label: words.movement,
      phone: 'first',
      cell: ({ id, isSum }) => (isSum ? <strong>{words[id]}</strong> : words[id]),
    },
    methodColumn('PIX', 'second'),
    methodColumn('CARD', 'secondEnd'),
    ...(hasBoleto ? [methodColumn('BOLETO', 'note')] : []),
    {
      label: words.total,
      isEnd: true,
      phone: 'firstEnd',
      cell: ({ id, types, isSum }) => (
        <Amount isSum={isSum} cents={summary && (types ? sumOf(moved, types) : balanceOf(summary, id))} />
      ),
    },
  ];
  return <Table label={label} columns={columns} rows={lines} keyOf={({ id }) => id} />;
}

function Amount({ cents, isSum = false }: { cents: number | undefined; isSum?: boolean | undefined }) {
  if (cents === undefined) return <Awaited />;
  return isSum ? (
    <strong>
      <Money cents={cents} />
    </strong>
  ) : (
    <Money cents={cents} />
  );
}

function sumOf(movements: readonly Movement[], types: readonly Movement['type'][]): number {
  return movements.reduce((sum, { type, amount }) => sum + (types.includes(type) ? amount : 0), 0);
}

function balanceOf({ openingBalance, closingBalance }: SummaryView, id: Line['id']): number {
  return id === 'opening' ? openingBalance : closingBalance;
}
