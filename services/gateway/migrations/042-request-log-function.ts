import type { Migration } from '@plataforma/data';
import { dayFunctionSql } from '@plataforma/tables';

/** Replaces the function of release 0.6.0 with that of new databases; both create and drop the same days. */
export const requestLogFunction: Migration = {
  name: '042_request_log_function',
  sql: dayFunctionSql({ table: 'request_log', by: 'id' }),
};
