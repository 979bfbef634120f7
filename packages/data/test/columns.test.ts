import { expect, test } from '@jest/globals';
import { columnsOf, composeSql, namesOf, selected, valuesIn } from '../src/index.ts';

const columns = columnsOf(`
  id, paid_at, amount_cents AS amount,
  refund_of_id AS refundOf, end_to_end_id`);

test('columns are read under the names of their fields, or as they say themselves', () => {
  expect(columns).toEqual([
    'id',
    'paid_at AS "paidAt"',
    'amount_cents AS "amount"',
    'refund_of_id AS "refundOf"',
    'end_to_end_id AS "endToEndId"',
  ]);
});

test('a composed statement selects the same', () => {
  const { sql } = composeSql('payments').select(selected(columns)).toSQL().toNative();

  expect(sql).toBe(`select ${columns.join(', ')} from "payments"`);
});

test('what joins another table selects them of its own', () => {
  const { sql } = composeSql('payments')
    .select(selected(['id', 'paid_at AS "paidAt"'], 'payments'))
    .toSQL()
    .toNative();

  expect(sql).toBe('select payments.id, payments.paid_at AS "paidAt" from "payments"');
});

test('a row is written by the same columns', () => {
  const row = { id: 'a', paidAt: null, amount: 5, refundOf: 'b', endToEndId: 'E1', other: true };

  expect(namesOf(columns)).toEqual(['id', 'paid_at', 'amount_cents', 'refund_of_id', 'end_to_end_id']);
  expect(valuesIn(row, columns)).toEqual(['a', null, 5, 'b', 'E1']);
});
