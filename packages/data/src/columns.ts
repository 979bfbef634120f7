import type { knex } from 'knex';
import { composeSql } from './paging.ts';

/**
 * The columns of a table, as SELECT and RETURNING list them, each under the name of its field: `paid_at` under paidAt,
 * `amount_cents AS amount` as it says. So a row has the fields that the code calls it by.
 */
export function columnsOf(listed: string): string[] {
  return listed.split(',').map((each) => {
    const [column = '', field = fieldOf(column)] = each.trim().split(' AS ');
    return column === field ? column : `${column} AS "${field}"`;
  });
}

/** The same in a composed statement. */
export function selected(columns: readonly string[]): knex.Knex.Raw {
  return composeSql.raw(columns.join(', '));
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
