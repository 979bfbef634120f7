import { expect, test } from '@jest/globals';
import {
  api,
  availableColumns,
  type CsvColumns,
  chargeColumns,
  closingColumns,
  disputeColumns,
  type Endpoint,
  receivableColumns,
  receivableDayColumns,
  refundColumns,
  statementColumns,
  transactionColumns,
  unexpectedPaymentColumns,
  volumeColumns,
  withdrawalColumns,
} from '@plataforma/contracts';
import { z } from 'zod';
import { csvForm } from '../src/csv.ts';

const columns = { text: { kind: 'text', inPortuguese: 'Texto' } } as const;

/**
 * Returns the cells that a program may read from a line, if it splits the line at the separator and ignores
 * quotes.
 */
const cellsOf = (line: string, separator: string) =>
  line.split(separator).map((cell) => cell.replace(/^(?:["\s\p{Cf}]|\uFE0F)+/u, ''));

test.each([
  ['Ação "à vista", São João', '"Ação ""à vista"", São João"'],
  ['=1+1', `"'=1+1"`],
  ['-12.50', '"-12.50"'],
  ['+5511987654321', '"+5511987654321"'],
  ['+55 11 98765', `"'+55 11 98765"`],
  ['pedido;=1+1', `"pedido;'=1+1"`],
  ['pedido,@A1', `"pedido,'@A1"`],
  ['pedido\t-2+3', `"pedido\t'-2+3"`],
  ['\t=1', `"'\t'=1"`],
  ['two\n+lines', `"two\n'+lines"`],
  ['two\r=lines', `"two\r'=lines"`],
  ['"=1', `"""'=1"`],
  ['\uFF1D1+1', `"'\uFF1D1+1"`],
  ['\uFF0B1', `"'\uFF0B1"`],
  ['\uFF0D1', `"'\uFF0D1"`],
  ['\uFF20A1', `"'\uFF20A1"`],
  ['pedido; =1+1', `"pedido; '=1+1"`],
  ['pedido|=1+1', `"pedido|'=1+1"`],
  ['pedido;\u3000\u200B\uFE0F=1+1', `"pedido;\u3000\u200B\uFE0F'=1+1"`],
  ['a=b+c@d-e', '"a=b+c@d-e"'],
  ['\u0001=1+1', `"'=1+1"`],
  ['pedido;\u007f=1+1', `"pedido;'=1+1"`],
  ['a\u001b]0;b\u0007\u009bc', '"a]0;bc"'],
  ['', ''],
])('the text %j becomes %j in both languages', (text, written) => {
  for (const locale of ['en', 'pt-BR'] as const) {
    const line = csvForm(columns, { locale }).lines([{ text }]);

    expect(line).toBe(`${written}\r\n`);
    const isNumber = /^[+-]?\d/.test(text);
    for (const separator of isNumber ? [] : [',', ';', '|', '\t', '\n', '\r']) {
      for (const cell of cellsOf(line, separator)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/u);
    }
  }
});

const columnsOf: Record<string, CsvColumns> = {
  '/v1/charges': chargeColumns,
  '/v1/refunds': refundColumns,
  '/v1/disputes': disputeColumns,
  '/v1/unexpected-payments': unexpectedPaymentColumns,
  '/v1/withdrawals': withdrawalColumns,
  '/v1/transactions': transactionColumns,
  // This path serves two statements. Both have the columns of the ledger's view, and the statement of the
  // available balance has two more columns.
  '/v1/statement': { ...availableColumns, ...statementColumns },
  '/v1/statement/closings': closingColumns,
  '/v1/receivables': receivableDayColumns,
  '/v1/receivables/items': receivableColumns,
  '/v1/reports/volume': volumeColumns,
};
const files = Object.values<Endpoint>(api).filter(({ alsoAs = [] }) =>
  alsoAs.some(({ mediaType }) => mediaType === 'text/csv'),
);

type Schema = z.core.JSONSchema.BaseSchema;

/** Returns the fields of a list. The value is true when the contract allows any text in the field. */
function fieldsOf(schema: z.ZodType): Map<string, boolean> {
  const fields = new Map<string, boolean>();
  const walk = (one: Schema, name: string): void => {
    const isClosed =
      one.enum || one.const !== undefined || /^(?:uuid|date|date-time)$/.test(one.format ?? '');
    const isOpen = [one.type].flat().includes('string') && !isClosed;
    fields.set(name, isOpen || fields.get(name) === true);
    for (const each of [...(one.anyOf ?? []), ...(one.oneOf ?? []), ...[one.items ?? []].flat()])
      if (typeof each === 'object') walk(each, name);
    for (const [own, each] of Object.entries({ ...one.properties, ...one.$defs }))
      if (typeof each === 'object') walk(each, own);
  };
  walk(z.toJSONSchema(schema, { unrepresentable: 'any' }), '');
  return fields;
}

/**
 * The fields of all lists together, because a CSV file of one list may have a column that only another list
 * has as a field.
 */
const fieldsOfAll = fieldsOf(z.union(files.map(({ data }) => data)));

test.each(files.map(({ path, data }) => [path, data] as const))(
  'the file of %s quotes every free text of the contract',
  (path, data) => {
    const fields = fieldsOf(data);
    const isOpen = (name: string) => fields.get(name) ?? fieldsOfAll.get(name);

    const columns = Object.entries(columnsOf[path] ?? {});

    expect(columns.length).toBeGreaterThan(2);
    expect(columns.filter(([name, { kind }]) => isOpen(name) && kind !== 'text')).toEqual([]);
  },
);

test.each([
  ['refundReason', chargeColumns, 'dispute', '"contestação perdida"'],
  ['rejectedReason', withdrawalColumns, 'cancelled by the merchant', '"cancelado pela loja"'],
  ['failureDetail', withdrawalColumns, 'decided in the sandbox', '"decidido no sandbox"'],
  [
    'description',
    disputeColumns,
    'the cardholder contests the payment',
    '"o titular do cartão contesta o pagamento"',
  ],
  ['resolution', disputeColumns, 'decided in the sandbox', '"decidido no sandbox"'],
  ['description', chargeColumns, 'dispute', '"dispute"'],
  ['resolution', disputeColumns, 'constructor', '"constructor"'],
])('pt-BR translates in %s only the platform’s own texts', (name, every: CsvColumns, text, written) => {
  const column = every[name];
  if (!column) throw new Error(`no column ${name}`);

  expect(csvForm({ [name]: column }, { locale: 'pt-BR' }).lines([{ [name]: text }])).toBe(`${written}\r\n`);
  expect(csvForm({ [name]: column }, { locale: 'en' }).lines([{ [name]: text }])).toBe(`"${text}"\r\n`);
});

const everyKind = {
  id: { kind: 'id', inPortuguese: 'Linha' },
  at: { kind: 'time', inPortuguese: 'Em' },
  day: { kind: 'day', inPortuguese: 'Dia' },
  chargeId: { kind: 'id', inPortuguese: 'Cobrança' },
  type: { kind: 'word', inPortuguese: 'Tipo', words: { FEE: 'Tarifa' } },
  amount: { kind: 'money', inPortuguese: 'Valor' },
  back: { kind: 'cents', inPortuguese: 'Volta' },
  rate: { kind: 'number', inPortuguese: 'Taxa' },
  note: { kind: 'text', inPortuguese: 'Nota', needsLocale: true },
} as const;
const row = {
  ...{ id: '1', at: '2026-11-21T02:00:00.000Z', day: '2026-11-20', chargeId: '2', type: 'FEE' },
  ...{ amount: -1_050, back: 5, rate: 0.5, note: null },
};
const SAO_PAULO = 'America/Sao_Paulo';

test.each([
  [
    {},
    'id,at,day,chargeId,type,amount,amountDecimal,back,rate\r\n',
    '1,2026-11-21T02:00:00.000Z,2026-11-20,2,FEE,-1050,-10.50,5,0.5\r\n',
  ],
  [
    { timeZone: SAO_PAULO } as const,
    'id,at (America/Sao_Paulo),day,chargeId,type,amount,amountDecimal,back,rate\r\n',
    '1,2026-11-20T23:00:00.000-03:00,2026-11-20,2,FEE,-1050,-10.50,5,0.5\r\n',
  ],
  [
    { locale: 'en' } as const,
    'id,at (UTC),day,chargeId,type,amount,amountDecimal,back,rate,note\r\n',
    '1,2026-11-21T02:00:00.000+00:00,2026-11-20,2,FEE,-1050,-10.50,5,0.5,\r\n',
  ],
  [
    { locale: 'pt-BR', timeZone: SAO_PAULO } as const,
    '\u{FEFF}Em (America/Sao_Paulo);Dia;Tipo;Valor (R$);Volta (R$);Taxa;Nota;Cobrança;Linha\r\n',
    '20/11/2026 23:00:00;20/11/2026;Tarifa;-10,50;0,05;0,5;;2;1\r\n',
  ],
])('a reader with %j gets matching headings and values', (reader, head, line) => {
  const form = csvForm(everyKind, reader);

  expect([form.head, form.lines([row])]).toEqual([head, line]);
});
