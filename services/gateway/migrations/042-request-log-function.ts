import type { Migration } from '@plataforma/data';
import { dayFunctionSql } from '@plataforma/tables';

/**
 * Replaces the SQL function that release 0.6.0 created by the function of new databases. Both functions
 * create and drop the same days.
 */
export const requestLogFunction: Migration = {
  name: '042_request_log_function',
  sql: dayFunctionSql({ table: 'request_log', by: 'id' }),
};
