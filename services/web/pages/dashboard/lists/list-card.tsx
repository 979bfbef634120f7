import type { ComponentProps, ReactNode } from 'react';
import { Card } from '../../components/card/card.tsx';
import layout from '../../components/layout.module.css';
import { Read } from '../read.tsx';

interface Props<Row> {
  title: string;
  read: ComponentProps<typeof Read<{ data: readonly Row[] }>>['of'];
  lines?: number;
  /** The text that an empty list shows. */
  none: string;
  children: (row: Row) => ReactNode;
  /** Content after the list, such as a dialog. */
  after?: ReactNode;
}

/** A card that lists rows which belong to the object of the page. */
export function ListCard<Row>({ title, read, lines = 3, none, children, after }: Props<Row>) {
  return (
    <Card title={title}>
      <Read of={read} lines={lines}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={layout.soft}>{none}</p>
          ) : (
            <ul className={layout.list}>{data.map(children)}</ul>
          )
        }
      </Read>
      {after}
    </Card>
  );
}
