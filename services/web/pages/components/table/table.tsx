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
   * The position on a phone, which shows two lines and, for a note with content, a third. A column without a
   * position is hidden there.
   */
  phone?: 'first' | 'firstEnd' | 'second' | 'secondEnd' | 'note';
  /** Shows the label before the value on a phone, where the figure alone is unclear. */
  isNamed?: boolean;
  /** Truncates its text first when the columns do not all fit. */
  isWide?: boolean;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The rows are being read again. */
  isReading?: boolean;
}

/** A link with the class `rowLink` in a cell covers the whole row. */
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

/** The class of a separate control in such a row. */
export const aboveLink = styles.above;

/** The class of a note that a phone omits. */
export const minor = styles.minor;

interface PagerProps {
  meta: { page: number; limit: number; total: number; pages: number; totalIsCapped?: true | undefined };
  /** Returns a link to another page of the same list. */
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
