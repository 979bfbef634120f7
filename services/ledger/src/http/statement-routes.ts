import { api } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import {
  chunksOf,
  createBulkhead,
  fileNameOf,
  pageOf,
  type Router,
  serve,
  serveFile,
  type Verifier,
} from '@plataforma/http';
import { statementCsv } from '../domain/statement-csv.ts';
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
      name: fileNameOf('statement', query, 'csv'),
      chunks: chunksOf(readStatement(reads, merchant, query), statementCsv(query)),
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
