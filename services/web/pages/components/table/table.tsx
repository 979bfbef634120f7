import type { ReactNode } from 'react';
import { count } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { classes } from '../classes.ts';
import { partWords } from '../words.ts';
import styles from './table.module.css';

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  isEnd?: boolean;
  /**
   * The position of the column's value on a phone, where a row has two lines and an optional third line for a
   * note. A column without a position is hidden on a phone.
   */
  phone?: 'first' | 'firstEnd' | 'second' | 'secondEnd' | 'note';
  /** On a phone, shows the column's label before the value, because the number alone would be unclear. */
  isNamed?: boolean;
  /** When the columns do not all fit, the text of this column is cut first. */
  isWide?: boolean;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** True while the rows are read again. */
  isReading?: boolean;
}

/** A table of rows. If a cell contains a link with the class `rowLink`, that link covers the whole row. */
export function Table<Row>({ label, columns, rows, keyOf, isReading = false }: Props<Row>) {
  return (
    <div className={styles.around}>
      <table className={styles.table} aria-label={label} aria-busy={isReading}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={classes(column.isEnd && styles.end)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row="">
              {columns.map((column) => (
                <td
                  key={column.label}
                  className={cellClass(column)}
                  data-label={column.isNamed ? column.label : undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellClass<Row>({ isEnd, isWide, phone }: Column<Row>): string {
  return classes(isEnd && styles.end, isWide && styles.wide, phone && styles[phone]);
}

export const rowLink = styles.link;

/** The class of a control that stays clickable in a row which a link covers. */
export const aboveLink = styles.above;

/** The class of a note that is hidden on a phone. */
export const minor = styles.minor;

interface PagerProps {
  meta: { page: number; limit: number; total: number; pages: number; totalIsCapped?: true | undefined };
  /** Returns the link to the page with this number. */
  link: (page: number, text: string) => ReactNode;
}

export function Pager({ meta, link }: PagerProps) {
  const words = useWords(partWords);
  const language = useLanguage();
  const { page, limit, total, pages } = meta;
  if (total === 0) return null;
  const from = count((page - 1) * limit + 1, language);
  const to = count(Math.min(page * limit, total), language);
  return (
    <nav className={styles.pager} aria-label={words.pages}>
      <span>
        {words.rows(
          from === to ? to : `${from}–${to}`,
          count(total, language) + (meta.totalIsCapped ? '+' : ''),
        )}
      </span>
      <span className={styles.turns}>
        {page > 1 && link(page - 1, words.previous)}
        {page < pages && link(page + 1, words.next)}
      </span>
    </nav>
  );
}
