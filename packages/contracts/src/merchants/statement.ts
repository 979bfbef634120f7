import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { sum } from '../fields.ts';
import { page } from '../paging.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { availableMovements, movements } from '../value-words.ts';
import { transactionColumns, walletTransaction } from './wallet.ts';

/**
 * The types of the first and the last row of a statement file with a locale. These rows contain the opening
 * and the closing balance.
 */
const balanceWords = { OPENING_BALANCE: 'Saldo inicial', CLOSING_BALANCE: 'Saldo final' };

export const statementColumns = {
  ...transactionColumns,
  type: csv.word('Tipo', { ...movements['pt-BR'], ...balanceWords }),
};

/**
 * The columns of the statement of the available balance. The column `type` has other values than in the
 * ledger view, and `grossAmount` and `feeAmount` are added.
 */
export const availableColumns = {
  ...transactionColumns,
  type: csv.word('Tipo', { ...availableMovements['pt-BR'], ...balanceWords }),
  grossAmount: { ...csv.cents('Valor bruto'), needsLocale: true },
  feeAmount: { ...csv.cents('Tarifa'), needsLocale: true },
} as const satisfies CsvColumns;

/** The columns of a file of daily closing balances. Its first row is the balance before the first day. */
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
          'ledger: all movements of available and pending money; a card sale is on the day of its ' +
          'payment. available: the withdrawable money, as on a bank statement; a card sale is on the day ' +
          'it settles, with its net amount.',
      }),
    order: z
      .enum(['desc', 'asc'])
      .default('desc')
      .meta({ description: 'desc: newest first. asc: oldest first.' }),
    locale: locale.meta({
      description:
        `${locale.meta()?.description} For \`application/x-ofx\` this is the language of names and memos, ` +
        'Portuguese by default.',
    }),
    ...page,
  })
  .check(daysInZone);

export type StatementQuery = z.infer<typeof statementQuery>;

const closingQuery = z
  .strictObject({
    ...period,
    timeZone: zoneOfReport(
      'Time zone that defines the end of each day. Banks in Brazil use America/Sao_Paulo.',
    ),
    locale,
  })
  .check(daysInZone);

export type ClosingQuery = z.infer<typeof closingQuery>;

const closing = z
  .object({
    date: z.iso.date().meta({ example: '2026-11-21' }),
    endsAt: timestamp.meta({ description: 'First instant after the day.' }),
    closingBalance: sum.meta({
      description: 'Balance in cents: available plus pending less dispute debt.',
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
      'Returns the wallet transactions of a period, by the time of their posting (`createdAt`), in pages. ' +
      '`meta` has the balance before the period and at its end. Past rows never change, except that a ' +
      'dispute’s rows receive its outcome when it ends. With `view=available` each row is one change of ' +
      'the withdrawable money, on the day of the change and less its fee; `movement` names the change. ' +
      'The balances are then `availableBalance` less `disputeDebt`, and `total` counts up to 10,000 rows ' +
      '(`meta.totalIsCapped`). With `Accept: text/csv` or `application/x-ofx` the response is one file ' +
      'with all rows, and page, limit and after are refused.',
    query: statementQuery,
    data: walletTransaction,
    paged: true,
    alsoAs: [
      csvFile(
        statementColumns,
        'All rows of the period in `order`. With a locale the file also has a line with the opening ' +
          'balance and a line with the closing balance. Without a locale times are in UTC',
        `${exampleId('WalletTransaction5')},2026-11-21T12:00:31.000Z,FEE,` +
          `"Fee of Pix charge order-1001",-25,-0.25,150188,1501.88,PIX,${exampleId('Charge')},\r\n`,
      ),
      {
        mediaType: 'application/x-ofx',
        description:
          'OFX 1.0.2 (SGML, Windows-1252), which accounting programs in Brazil import, oldest first. ' +
          'FITID is the id of the row. REFNUM is the bank’s id: the end-to-end id of a Pix, or the NSU of ' +
          'a card. LEDGERBAL is the closing balance. AVAILBAL is the `withdrawableBalance` of GET ' +
          '/v1/balance, which excludes pending card money and is never below zero. Both apply to the end ' +
          'of the period, or to the current time if the period has not ended. With `view=available` ' +
          'LEDGERBAL is the available balance, and a FITID never equals that of a row of the other view. ' +
          'Times are in `timeZone` and include its offset.',
        example:
          'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\n…<STMTTRN>\r\n<TRNTYPE>FEE\r\n' +
          '<DTPOSTED>20261121090031.000[-3:BRT]\r\n' +
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
      'Returns past days, the first day first, by the time of posting. The values of a day never change. ' +
      'A day appears a minute after its end. Without `startDate` the response has the last 30 days up to ' +
      '`endDate`; at most 366 days are allowed. A day that `startDate` or `endDate` cuts counts in whole.',
    query: closingQuery,
    data: z.object({ timeZone: z.enum(timeZones), closings: z.array(closing) }),
    alsoAs: [
      csvFile(
        closingColumns,
        'One row for each day, the first day first, after a line with the opening balance',
      ),
    ],
  },
} as const satisfies Record<string, Definition>);
