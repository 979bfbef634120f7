import {
  api,
  availableColumns,
  type ClosingQuery,
  closingColumns,
  type StatementQuery,
  type SummaryQuery,
  type SummaryView,
  statementColumns,
} from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { type CsvRow, fileNameOf, pageOf, type Router, serve, serveCsv, serveFile } from '@plataforma/http';
import { addDays, later, startOfDay, type Tenant } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import type { LedgerDependencies } from '../dependencies.ts';
import { type ClosingDay, closingDays } from '../domain/closings.ts';
import type { NamedTransaction } from '../domain/statement.ts';
import { summaryOf, summaryPeriod } from '../domain/summary.ts';
import { readFilePeriod } from '../operations/read-file-period.ts';
import { listAvailable } from '../store/available-rows.ts';
import { findBalancesAt } from '../store/closings.ts';
import { listStatement } from '../store/statement-period.ts';
import { readClock, readSums } from '../store/summary.ts';
import { inLanguage } from './row-texts.ts';
import { ofxHead, ofxRows, ofxTail } from './statement-ofx.ts';
import { transactionView } from './transaction-view.ts';
import { windows1252Bytes } from './windows-1252.ts';

export function statementRoutes(router: Router, dependencies: LedgerDependencies): void {
  const { verifier, reads } = dependencies;
  serveCsv(router, api.getStatement, {
    verifier,
    columns: ({ view }) => (view === 'ledger' ? statementColumns : availableColumns),
    name: 'statement',
    batches: (query, merchant) => csvRowsOf(dependencies, merchant, query),
    rowOf: (row) => row,
    isPlainInUtc: true,
  });
  serveFile(router, api.getStatement, {
    type: 'application/x-ofx',
    verifier,
    file: (query, merchant) => ({
      name: fileNameOf('statement', query, 'ofx'),
      chunks: ofxOf(dependencies, merchant, query),
    }),
  });
  serveCsv(router, api.listClosings, {
    verifier,
    columns: closingColumns,
    name: 'closings',
    async *batches(query, merchant) {
      const { before, closings } = await readClosings(reads, merchant, query);
      const days = closings.map((closing) => ({ type: 'CLOSING_BALANCE', ...closing }));
      yield [...(before ? [{ type: 'OPENING_BALANCE', ...before }] : []), ...days];
    },
    rowOf: (line) => line,
  });
  serve(router, api.listClosings, {
    verifier,
    answer: async ({ query }, merchant) => {
      const { closings } = await readClosings(reads, merchant, query);
      return { data: { timeZone: query.timeZone, closings } };
    },
  });
  serve(router, api.summarizeStatement, {
    verifier,
    answer: async ({ query }, merchant) => ({ data: await readSummary(reads, merchant, query) }),
  });
  serve(router, api.getStatement, {
    verifier,
    answer: async ({ query }, merchant) => {
      const list = query.view === 'ledger' ? listStatement : listAvailable;
      const { openingBalance, closingBalance, ...page } = await list(reads, merchant, query);
      const { data, meta } = pageOf(page, query, transactionView);
      return { data, meta: { ...meta, openingBalance, closingBalance } };
    },
  });
}

/** Returns the closing balance of each day in the period and of the day before the period. */
async function readClosings(reads: Queryable, merchant: Tenant, query: ClosingQuery) {
  const { timeZone } = query;
  const aheadMs = await aheadOf(reads, merchant);
  const days = closingDays(query, new Date(Date.now() + aheadMs));
  const first = days[0]?.date;
  if (first === undefined) return { before: undefined, closings: [] };
  const dayBefore = { date: addDays(first, -1), endsAt: startOfDay(first, timeZone) };
  const instants = [dayBefore, ...days].map(({ endsAt }) => endsAt);
  const balances = await findBalancesAt(reads, merchant, { instants, aheadMs });
  const closingOf = ({ date, endsAt }: ClosingDay) => {
    const closingBalance = balances.get(endsAt.getTime());
    return closingBalance === undefined ? [] : [{ date, endsAt: endsAt.toISOString(), closingBalance }];
  };
  return { before: closingOf(dayBefore)[0], closings: days.flatMap(closingOf) };
}

/** Reads the clock first, because every row before the end of a past period is then committed. */
async function readSummary(reads: Queryable, merchant: Tenant, query: SummaryQuery): Promise<SummaryView> {
  const now = later(await readClock(reads), await aheadOf(reads, merchant));
  const { start, end, isOver } = summaryPeriod(query, now);
  const { sums, ...balances } = await readSums(reads, merchant, { startDate: start, endDate: end });
  const instants = { startsAt: start.toISOString(), endsAt: end.toISOString() };
  return { timeZone: query.timeZone, ...instants, isOver, ...summaryOf(sums, balances) };
}

/**
 * Yields a file's rows. With a locale it also yields a balance line before and after the rows. Files without
 * a locale keep the content of earlier releases.
 */
async function* csvRowsOf(
  { database, reads }: LedgerDependencies,
  merchant: Tenant,
  query: StatementQuery,
): AsyncGenerator<CsvRow<typeof availableColumns>[]> {
  const { order, locale } = query;
  const { start, end, rows, ...balances } = await readFilePeriod(database, merchant, query);
  const opening = [{ type: 'OPENING_BALANCE', createdAt: start, balanceAfter: balances.openingBalance }];
  const closing = [{ type: 'CLOSING_BALANCE', createdAt: end, balanceAfter: balances.closingBalance }];
  if (locale) yield order === 'asc' ? opening : closing;
  for await (const batch of rows(reads, order)) yield inLanguage(batch, locale).map(movementRow);
  if (locale) yield order === 'asc' ? closing : opening;
}

function movementRow(row: NamedTransaction): CsvRow<typeof availableColumns> {
  return { ...row, ...row.movement };
}

async function* ofxOf(
  { database, reads, ofxAccountOf }: LedgerDependencies,
  merchant: Tenant,
  query: StatementQuery,
): AsyncGenerator<Buffer> {
  const { timeZone, locale = 'pt-BR' } = query;
  const { start, end, now, rows, ...balances } = await readFilePeriod(database, merchant, query);
  const batches = rows(reads, 'asc');
  const first = (await batches.next()).value ?? [];
  const times = { start, end, now, timeZone, locale };
  yield windows1252Bytes(ofxHead(ofxAccountOf(merchant), times) + ofxRows(first, times));
  for await (const batch of batches) yield windows1252Bytes(ofxRows(batch, times));
  yield windows1252Bytes(ofxTail(balances, times));
}
