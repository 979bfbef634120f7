import { expect, test } from '@jest/globals';
import { createTestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import {
  columnsOf,
  composeSql,
  jsonLines,
  jsonRecords,
  namesOf,
  openDatabase,
  selected,
  valuesIn,
} from '../src/index.ts';

const columns = columnsOf(`
  id, paid_at, amount_cents AS amount,
  refund_of_id AS refundOf, end_to_end_id`);

test('columns are selected under the names of their fields', () => {
  expect(columns).toEqual([
    'id',
    'paid_at AS "paidAt"',
    'amount_cents AS "amount"',
    'refund_of_id AS "refundOf"',
    'end_to_end_id AS "endToEndId"',
  ]);
});

test('a composed statement selects the same columns', () => {
  const { sql } = composeSql('payments').select(selected(columns)).toSQL().toNative();

  expect(sql).toBe(`select ${columns.join(', ')} from "payments"`);
});

test('a statement with a join selects columns of its own table', () => {
  const { sql } = composeSql('payments')
    .select(selected(['id', 'paid_at AS "paidAt"'], 'payments'))
    .toSQL()
    .toNative();

  expect(sql).toBe('select payments.id, payments.paid_at AS "paidAt" from "payments"');
});

test('a row is written with the same columns', () => {
  const row = { id: 'a', paidAt: null, amount: 5, refundOf: 'b', endToEndId: 'E1', other: true };

  expect(namesOf(columns)).toEqual(['id', 'paid_at', 'amount_cents', 'refund_of_id', 'end_to_end_id']);
  expect(valuesIn(row, columns)).toEqual(['a', null, 5, 'b', 'E1']);
});

test('JSON lines with any characters become rows in SQL', async () => {
  const { url } = await createTestDatabase();
  const database = openDatabase({ url, poolSize: 1, log: silent });
  const odd = ['two\nlines\r\n', '"{1,2}"', 'C:\\new', 'João \u2028 {NULL}', ''].map((text) =>
    JSON.stringify({ text }),
  );
  const select = 'SELECT text FROM unnest(string_to_array($1, chr(10))) AS text';

  for (const texts of [odd, odd.slice(0, 1), []])
    expect(await database.query(select, [jsonLines(texts)])).toEqual(texts.map((text) => ({ text })));

  await database.close();
});

test('an unpaired surrogate becomes U+FFFD, and a pair stays', () => {
  expect(jsonRecords([{ text: 'a\ud800b', other: '\u{1f600}', escaped: '\\ud800', amount: 1 }])).toBe(
    JSON.stringify([{ text: 'a\ufffdb', other: '\u{1f600}', escaped: '\\ud800', amount: 1 }]),
  );
});
