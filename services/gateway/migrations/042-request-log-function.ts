import type { Migration } from '@plataforma/data';
import { dayFunctionSql } from '@plataforma/tables';

/**
 * Replaces the SQL function of release 0.6.0 with the function that new databases have. Both functions create
 * and drop the partitions of the same days.
 */
export const requestLogFunction: Migration = {
  name: '042_request_log_function',
  sql: dayFunctionSql({ table: 'request_log', by: 'id' }),
};
