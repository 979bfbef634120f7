import { api, type StatementQuery, statementColumns } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import {
  type CsvRow,
  fileNameOf,
  pageOf,
  type Router,
  serve,
  serveCsv,
  serveFile,
  type Verifier,
} from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import { closingDays } from '../domain/closings.ts';
import { findBalancesAt } from '../store/closings.ts';
import { findPeriod, listStatement, readStatement } from '../store/statement-period.ts';
import { ofxHead, ofxRows, ofxTail } from './statement-ofx.ts';
import { transactionView } from './transaction-view.ts';

interface Parts {
  verifier: Verifier;
  reads: Queryable;
}

export function statementRoutes(router: Router, { verifier, reads }: Parts): void {
  serveCsv(router, api.getStatement, {
    verifier,
    columns: statementColumns,
    name: 'statement',
    batches: (query, merchant) => csvRowsOf(reads, merchant, query),
    rowOf: (row) => row,
    isPlainInUtc: true,
  });
  serveFile(router, api.getStatement, {
    type: 'application/x-ofx',
    verifier,
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

/** Rows between two lines of balances; without a locale rows alone, as files had before there were locales. */
async function* csvRowsOf(
  reads: Queryable,
  merchant: Tenant,
  query: StatementQuery,
): AsyncGenerator<CsvRow<typeof statementColumns>[]> {
  if (!query.locale) return yield* readStatement(reads, merchant, query);
  const { order, startDate = null, endDate } = query;
  const now = new Date(Date.now() + (await aheadOf(reads, merchant)));
  const period = await findPeriod(reads, merchant, query);
  const end = endDate && endDate <= now ? new Date(endDate.getTime() - 1) : now;
  const opening = [{ type: 'OPENING_BALANCE', createdAt: startDate, balanceAfter: period.openingBalance }];
  const closing = [{ type: 'CLOSING_BALANCE', createdAt: end, balanceAfter: period.closingBalance }];
  yield order === 'asc' ? opening : closing;
  yield* readStatement(reads, merchant, { ...period, order });
  yield order === 'asc' ? closing : opening;
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
