import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { createTestDatabase, type TestDatabase } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import { keyedRequest, standingOf } from '../src/idempotency.ts';
import { idempotencyOwners, idempotencyTable } from '../src/index.ts';

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await createTestDatabase();
  await migrate(home.url, [idempotencyTable]);
  database = openDatabase({ url: home.url, poolSize: 2, log: silent });
});
afterAll(async () => {
  await database.close();
});

const INSERT = `
  INSERT INTO idempotency_keys (merchant_id, environment, key, request_hash, status, answer)
  VALUES ($1, 'sandbox', 'k', $2, 201, '{"success":true}')`;

test('what was kept for a merchant before keys had other owners is still its answer', async () => {
  const id = newId();
  const sent = { header: 'k', secretBox: null, method: 'POST', path: '/v1/notes', body: { text: 'a' } };
  const request = keyedRequest({ ...sent, owner: { realm: 'sandbox', id } });
  const asAccount = keyedRequest({ ...sent, owner: { realm: 'account', id } });
  await database.query(INSERT, [id, request?.requestHash]);

  await migrate(home.url, [idempotencyTable, idempotencyOwners]);

  const answered = { is: 'answered', status: 201, text: '{"success":true}' };
  expect(request && (await standingOf(database, request))).toEqual(answered);
  expect(asAccount && (await standingOf(database, asAccount))).toEqual({ is: 'new' });
});
