import { api, type StatementQuery } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import {
  chunksOf,
  createCallerBulkhead,
  fileNameOf,
  pageOf,
  type Router,
  serve,
  serveFile,
  type Verifier,
} from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import { closingDays } from '../domain/closings.ts';
import { statementCsv } from '../domain/statement-csv.ts';
import { ofxHead, ofxRows, ofxTail } from '../domain/statement-ofx.ts';
import { findBalancesAt } from '../store/closings.ts';
import { findPeriod, listStatement, readStatement } from '../store/statement-period.ts';
import { transactionView } from './transaction-view.ts';

interface Parts {
  verifier: Verifier;
  reads: Queryable;
}

/** What reads many rows gets few of the connections of lists, and no merchant all of those. */
const writing = createCallerBulkhead({
  ...{ total: 4, sandboxes: 3, perHolder: 2 },
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
  serveFile(router, api.getStatement, {
    type: 'application/x-ofx',
    verifier,
    writing,
    file: (query, merchant) => ({
      name: fileNameOf('statement', query, 'ofx'),
      chunks: ofxOf(reads, merchant, query),
    }),
  });
  serve(router, api.listClosings, {
    verifier,
    answer: async ({ query }, merchant) => {
      const aheadMs = await aheadOf(reads, merchant);
      const days = closingDays(query, new Date(Date.now() + aheadMs));
      const instants = days.map(({ endsAt }) => endsAt);
      const balances = await findBalancesAt(reads, merchant, { instants, aheadMs });
      const closings = days.flatMap(({ date, endsAt }) => {
        const closingBalance = balances.get(endsAt.getTime());
        return closingBalance === undefined ? [] : [{ date, endsAt: endsAt.toISOString(), closingBalance }];
      });
      return { data: { timeZone: query.timeZone, closings } };
    },
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

/** Its rows are as many as make its balance: both are of one instant. */
async function* ofxOf(reads: Queryable, merchant: Tenant, query: StatementQuery): AsyncGenerator<Buffer> {
  const now = new Date(Date.now() + (await aheadOf(reads, merchant)));
  const period = await findPeriod(reads, merchant, query);
  const batches = readStatement(reads, merchant, { ...period, order: 'asc' });
  const first = (await batches.next()).value ?? [];
  const head = ofxHead(merchant, query, { now, since: first[0]?.createdAt ?? now });
  yield inWindows1252(head + ofxRows(first, query.timeZone));
  for await (const rows of batches) yield inWindows1252(ofxRows(rows, query.timeZone));
  yield inWindows1252(ofxTail(period.closingBalance, query, now));
}

/** Of the letters that its text may have they are the same. */
const inWindows1252 = (text: string) => Buffer.from(text, 'latin1');
