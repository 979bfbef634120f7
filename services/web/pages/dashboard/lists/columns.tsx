import type { ComponentProps } from 'react';
import { Status } from '../../components/badge/badge.tsx';
import type { Column } from '../../components/table/table.tsx';
import { Money, Time } from '../../components/values/values.tsx';
import { RowLink } from './links.tsx';

/** A column with the status of the row's object. On a phone it stands at the end of the row's first line. */
export function statusColumn(
  label: string,
  of: ComponentProps<typeof Status>['of'],
): Column<{ status: string }> {
  return { label, phone: 'firstEnd', cell: ({ status }) => <Status of={of} status={status} /> };
}

export function amountColumn<Row extends { id: string; amount: number }>(
  label: string,
  to: ComponentProps<typeof RowLink>['to'],
  idOf = ({ id }: Row) => id,
): Column<Row> {
  const cell = (row: Row) => (
    <RowLink to={to} id={idOf(row)}>
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
