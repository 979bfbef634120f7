import { api, type StatementQuery } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { createBulkhead, pageOf, type Router, serve, serveFile, type Verifier } from '@plataforma/http';
import { dayOf } from '@plataforma/kernel';
import type { NamedTransaction } from '../domain/statement.ts';
import { type CsvForm, statementCsv } from '../domain/statement-csv.ts';
import { listStatement, readStatement } from '../store/statement-period.ts';
import { transactionView } from './transaction-view.ts';

interface Parts {
  verifier: Verifier;
  reads: Queryable;
}

/** What reads many rows gets few of the connections of lists, and no merchant all of those. */
const writing = createBulkhead({
  total: 4,
  perHolder: 2,
  full: 'too many statements are being written; try again when yours is done',
});

export function statementRoutes(router: Router, { verifier, reads }: Parts): void {
  serveFile(router, api.getStatement, {
    type: 'text/csv',
    verifier,
    writing,
    file: (query, merchant) => ({
      name: fileName(query, 'csv'),
      chunks: csvOf(readStatement(reads, merchant, query), statementCsv(query)),
    }),
  });
  serve(router, api.getStatement, {
    verifier,
    answer: async ({ query }, merchant) => {
      const { openingBalance, closingBalance, ...page } = await listStatement(reads, merchant, query);
      const { data, meta } = pageOf(page, query, transactionView);
      return { data, meta: { ...meta, openingBalance, closingBalance } };
    },
  });
}

/** The head comes with the first rows, so that nothing is sent before they could be read. */
async function* csvOf(
  batches: AsyncGenerator<NamedTransaction[]>,
  { head, lines }: CsvForm,
): AsyncGenerator<string> {
  const first = await batches.next();
  yield head + lines(first.value ?? []);
  for await (const rows of batches) yield lines(rows);
}

function fileName({ startDate, endDate, timeZone = 'UTC' }: StatementQuery, extension: string): string {
  const first = startDate && dayOf(startDate, timeZone);
  const last = endDate && dayOf(new Date(endDate.getTime() - 1), timeZone);
  return ['statement', first && `from-${first}`, last && `to-${last}`]
    .filter((part) => part !== undefined)
    .join('-')
    .concat(`.${extension}`);
}
