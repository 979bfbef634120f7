import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';

const ids = { PIX: newId(), CARD: newId() };
let database: Database;

const INSERT = `
  INSERT INTO charges (id, merchant_id, environment, external_id, txid, payment_method, amount_cents,
  fee_cents, net_cents,
    status, payer_name, payer_document, created_at, expires_at, installments, next_check_at)
  SELECT id, id, 'sandbox', id::text, replace(id::text, '-', ''), method, 2500, 25, 2475, 'PENDING', 'Ana',
  '12345678909',
    now(), CASE method WHEN 'PIX' THEN now() END, CASE method WHEN 'CARD' THEN 18 END, now()
  FROM (SELECT $1::uuid AS id, $2::text AS method) AS drawn`;

beforeAll(async () => {
  ({ database } = await openTestDatabase(migrations));
  for (const [method, id] of Object.entries(ids)) await database.query(INSERT, [id, method]);
});
afterAll(() => database.close());

const change = (method: 'PIX' | 'CARD', changes: string) =>
  database.query(`UPDATE charges SET ${changes} WHERE id = $1`, [ids[method]]);

describe('a charge refused by the database', () => {
  test.each([
    ['PIX', "environment = 'test'"],
    ['PIX', "txid = 'no-letter-or-digit-0000000'"],
    ['PIX', "txid = 'short'"],
    ['PIX', 'amount_cents = 99, net_cents = 74'],
    ['PIX', 'fee_cents = -1, net_cents = 2501'],
    ['PIX', 'fee_cents = 2501, net_cents = -1'],
    ['PIX', 'net_cents = 2474'],
    ['PIX', "payment_method = 'BOLETO'"],
    ['PIX', "status = 'PAID'"],
    ['PIX', "status = 'PAID', paid_at = now()"],
    ['PIX', "paid_at = now(), end_to_end_id = 'E1'"],
    ['PIX', "end_to_end_id = 'E1'"],
    ['PIX', 'expires_at = NULL'],
    ['PIX', "status = 'DECLINED'"],
    ['PIX', 'installments = 1'],
    ['PIX', 'refunded_cents = 0'],
    ['PIX', 'refunded_cents = 2501'],
    ['PIX', "status = 'REFUNDED', paid_at = now(), end_to_end_id = 'E1'"],
    ['PIX', 'is_watched = true'],
    ['CARD', "status = 'PAID', paid_at = now()"],
    ['CARD', "end_to_end_id = 'E1'"],
    ['CARD', 'installments = NULL'],
    ['CARD', 'installments = 19'],
    ['CARD', 'installments = 0'],
    ['CARD', "status = 'EXPIRED'"],
    ['CARD', "status = 'CANCELLED'"],
    ['CARD', 'is_watched = true'],
  ] as const)('%s, %s', async (method, changes) => {
    await expect(change(method, changes)).rejects.toMatchObject({ constraint: 'charges_sound' });
  });

  test('with an unknown status', async () => {
    await expect(change('PIX', "status = 'LOST'")).rejects.toMatchObject({
      constraint: 'charges_status_check',
    });
  });
});

test.each([
  ['PIX', "status = 'EXPIRED'"],
  ['PIX', "status = 'PAID', paid_at = now(), end_to_end_id = 'E1'"],
  ['PIX', "status = 'DISPUTED', refunded_cents = 1"],
  ['PIX', "status = 'REFUNDED', refunded_cents = 2500"],
  ['CARD', "status = 'DECLINED', is_watched = true"],
  ['CARD', "status = 'PAID', is_watched = false, paid_at = now(), acquirer_id = 'or_1', installments = 1"],
] as const)('the database accepts a charge %s, %s', async (method, changes) => {
  await change(method, changes);
});
