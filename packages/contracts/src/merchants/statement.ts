import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { page, sum, timestamp } from '../fields.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { availableMovements, movements } from '../value-words.ts';
import { transactionColumns, walletTransaction } from './wallet.ts';

/** The rows of a file with a locale begin and end with a balance, which are of these two types. */
const balanceWords = { OPENING_BALANCE: 'Saldo inicial', CLOSING_BALANCE: 'Saldo final' };

export const statementColumns = {
  ...transactionColumns,
  type: csv.word('Tipo', { ...movements['pt-BR'], ...balanceWords }),
};

/** Rows of the available balance, with their own types. */
export const availableColumns = {
  ...transactionColumns,
  type: csv.word('Tipo', { ...availableMovements['pt-BR'], ...balanceWords }),
  grossAmount: { ...csv.cents('Valor bruto'), needsLocale: true },
  feeAmount: { ...csv.cents('Tarifa'), needsLocale: true },
} as const satisfies CsvColumns;

/** Each day by its closing balance, behind that of the day before the first one. */
export const closingColumns = {
  type: csv.word('Tipo', balanceWords),
  date: csv.day('Data'),
  endsAt: csv.time('Fim do dia'),
  closingBalance: csv.money('Saldo'),
};

const statementQuery = z
  .strictObject({
    ...period,
    view: z
      .enum(['ledger', 'available'])
      .default('ledger')
      .meta({
        description:
          'ledger: all movements of available and pending money; a card sale is on the day of its payment. available: the money that ' +
          'can be withdrawn, as a bank states it; a card sale is on the day it settles, with its net amount.',
      }),
    order: z
      .enum(['desc', 'asc'])
      .default('desc')
      .meta({ description: 'desc: newest first. asc: oldest first.' }),
    locale: locale.meta({
      description: `${locale.meta()?.description} Of \`application/x-ofx\`: the language of names and memos, Portuguese where it is left out.`,
    }),
    ...page,
  })
  .check(daysInZone);

export type StatementQuery = z.infer<typeof statementQuery>;

const closingQuery = z
  .strictObject({
    ...period,
    timeZone: zoneOfReport('Whose days end. Banks in Brazil go by America/Sao_Paulo.'),
    locale,
  })
  .check(daysInZone);

export type ClosingQuery = z.infer<typeof closingQuery>;

const closing = z
  .object({
    date: z.iso.date().meta({ example: '2026-11-21' }),
    endsAt: timestamp.meta({ description: 'The first instant after the day.' }),
    closingBalance: sum.meta({
      description: 'Cents: available plus pending less dispute debt.',
      example: 2475,
    }),
  })
  .meta({ id: 'Closing' });

export const statement = endpointsOf('ledger', {
  getStatement: {
    route: 'GET /v1/statement',
    access: reads('wallet:read'),
    summary: 'Read the statement of a period, newest first',
    description:
      'The wallet transactions of a period, by the time of their posting (`createdAt`), page by page, and in `meta` the balance ' +
      'before the period and at its end. What is over is never changed, but for the outcome of a dispute, which its rows get when ' +
      'it ends. With `view=available` each row is one change of the money that ' +
      'can be withdrawn, on the day it happened and less its fee; `movement` names it. The balances are then `availableBalance` less ' +
      '`disputeDebt`, and `total` counts up to 10,000 rows (`meta.totalIsCapped`). With `Accept: text/csv` or `application/x-ofx` all ' +
      'rows in one file, for which page, limit and after are refused.',
    query: statementQuery,
    data: walletTransaction,
    paged: true,
    alsoAs: [
      csvFile(
        statementColumns,
        'All rows of the period in `order`; with a locale between a line of the opening balance and one of the closing ' +
          'balance. Without one times are in UTC',
        `${exampleId('WalletTransaction5')},2026-11-21T12:00:31.000Z,FEE,` +
          `"Fee of Pix charge order-1001",-25,-0.25,150188,1501.88,PIX,${exampleId('Charge')},\r\n`,
      ),
      {
        mediaType: 'application/x-ofx',
        description:
          'OFX 1.0.2 (SGML, Windows-1252), which accounting programs in Brazil import, oldest first. FITID is the id of the row, ' +
          'REFNUM the bank’s id: the end-to-end id of a Pix, the NSU of a card. LEDGERBAL is the closing balance, AVAILBAL the `withdrawableBalance` of GET /v1/balance, ' +
          'which has no pending card money and is never below zero. Both are as of the end of the period or, while that is to come, as of now. With `view=available` LEDGERBAL is the ' +
          'available balance, and a FITID is never that of a row of the other view. Times are those of `timeZone` and say so.',
        example:
          'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\n…<STMTTRN>\r\n<TRNTYPE>FEE\r\n<DTPOSTED>20261121090031.000[-3:BRT]\r\n' +
          `<TRNAMT>-0.25\r\n<FITID>${exampleId('WalletTransaction5')}\r\n` +
          '<NAME>Tarifa\r\n<MEMO>Tarifa da cobrança por Pix order-1001\r\n' +
          '</STMTTRN>…',
      },
    ],
  },

  listClosings: {
    route: 'GET /v1/statement/closings',
    access: reads('wallet:read'),
    summary: 'Read the balance at the end of each day',
    description:
      'Of days that are over, the first day first, by the time of posting: what is answered of a day never changes. A day appears ' +
      'a minute after its end. Without `startDate` the last 30 days up to `endDate`; at most 366 days. A day that `startDate` or ' +
      '`endDate` cuts counts in whole.',
    query: closingQuery,
    data: z.object({ timeZone: z.enum(timeZones), closings: z.array(closing) }),
    alsoAs: [csvFile(closingColumns, 'The first day first, behind a line of the opening balance')],
  },
} as const satisfies Record<string, Definition>);
