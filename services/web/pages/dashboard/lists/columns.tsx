import type { ComponentProps } from 'react';
import { Status } from '../../components/badge/badge.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { money } from '../../shared/format.ts';
import { RowLink } from './links.tsx';

/** A column with the status of the row's object. On a phone it stands at the end of the row's first line. */
export function statusColumn(
  label: string,
  of: ComponentProps<typeof Status>['of'],
): Column<{ status: string }> {
  return { label, phone: 'firstEnd', cell: ({ status }) => <Status of={of} status={status} /> };
}

interface AmountColumn<Row> {
  label: string;
  to: ComponentProps<typeof RowLink>['to'];
  idOf?: (row: Row) => string;
  /** Returns the texts that distinguish the row from others of the same amount. */
  namesOf: (row: Row) => readonly (string | null | undefined)[];
}

/** The amount links to the object. The link's label for screen readers also contains `namesOf(row)`. */
export function amountColumn<Row extends { id: string; amount: number }>({
  label,
  to,
  idOf = ({ id }) => id,
  namesOf,
}: AmountColumn<Row>): Column<Row> {
  const cell = (row: Row) => (
    <RowLink to={to} id={idOf(row)} name={[money(row.amount), ...namesOf(row)].filter(Boolean).join(', ')}>
      <Money cents={row.amount} />
    </RowLink>
  );
  return { label, phone: 'first', cell };
}

export function timeColumn<Name extends string>(
  label: string,
  name: Name,
): Column<Readonly<Record<Name, string>>> {
  return { label, phone: 'secondEnd', isEnd: true, cell: (row) => <Time at={row[name]} isRelative /> };
}
