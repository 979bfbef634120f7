import { expect, test } from '@jest/globals';
import { columnsOf, composeSql, selected } from '../src/index.ts';

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
