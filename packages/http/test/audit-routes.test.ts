import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api, auditLogs, type OperatorRole } from '@plataforma/contracts';
import { type Database, migrate, openDatabase } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { sharedTables, writeAudit } from '@plataforma/tables';
import { createTestDatabase } from '@plataforma/testing';
import { newKeyPair, send, serving, silent, trusting } from '@plataforma/testing/fixtures';
import { auditRoutes, createSigner, createVerifier, type HttpServer, IDENTITY_HEADER } from '../src/index.ts';

const gateway = newKeyPair();
const verifier = createVerifier('ledger', trusting({ gateway: gateway.publicKey }));
const signer = createSigner('gateway', gateway.privateKey);
const [anna, bruno] = [newId(), newId()];
const [first, second] = [newId(), newId()];

let database: Database;
let server: HttpServer;

beforeAll(async () => {
  const home = await createTestDatabase();
  await migrate(home.url, [sharedTables], home.env.DATABASE_URL);
  database = openDatabase({ url: home.env.DATABASE_URL, poolSize: 3, log: silent });
  server = await serving((app) => auditRoutes(app, { verifier, database, endpoints: auditLogs.ledger }));
  const changes = [
    [anna, 'wallet.block', first],
    [anna, 'wallet.unblock', first],
    [bruno, 'wallet.block', second],
    [bruno, 'wallet.block', first],
  ] as const;
  for (const [operatorId, action, subjectId] of changes) {
    const entry = { operatorId, action, subjectId, reason: 'ordem judicial' };
    await database.transaction((tx) => writeAudit(tx, { ...entry, before: { n: 1 }, after: { n: 2 } }));
  }
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

async function read(query: string, role: OperatorRole | null = 'SUPPORT') {
  const identity = role && signer.sign({ kind: 'operator', operatorId: anna, role }, 'ledger');
  const headers = identity ? { [IDENTITY_HEADER]: identity } : {};
  const { status, text } = await send(`${server.url}/v1/admin/ledger/audit-log${query}`, { headers });
  return { status, json: JSON.parse(text) };
}

async function sequences(query: string): Promise<number[]> {
  const { json } = await read(query);
  return auditLogs.ledger.list.data
    .array()
    .parse(json.data)
    .map(({ sequence }) => sequence);
}

describe('an audit log’s list', () => {
  test('shows every field of each change, newest first', async () => {
    const { status, json } = await read('');

    expect([status, json.meta]).toEqual([200, { total: 4, page: 1, limit: 20, pages: 1 }]);
    expect(await sequences('')).toEqual([4, 3, 2, 1]);
    expect(json.data[3]).toEqual({
      id: expect.any(String),
      sequence: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      operatorId: anna,
      action: 'wallet.block',
      subjectId: first,
      before: { n: 1 },
      after: { n: 2 },
      reason: 'ordem judicial',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test.each<[string, number[]]>([
    [`?operatorId=${anna}`, [2, 1]],
    ['?action=wallet.block', [4, 3, 1]],
    [`?subjectId=${first}`, [4, 2, 1]],
    [`?operatorId=${bruno}&subjectId=${first}&action=wallet.block`, [4]],
    [`?operatorId=${newId()}`, []],
    ['?action=wallet.steal', []],
    ['?page=2&limit=3', [1]],
    ['?page=9&limit=3', []],
    ['?endDate=2020-01-01', []],
    ['?startDate=2020-01-01&endDate=9999-12-31', [4, 3, 2, 1]],
    ['?startDate=9999-12-31', []],
  ])('is filtered by %s', async (query, found) => {
    expect(await sequences(query)).toEqual(found);
  });

  test.each([
    '?operatorId=x',
    '?subjectId=x',
    '?role=ADMIN',
    '?limit=101',
    '?page=0',
    '?startDate=x',
    '?action=',
  ])('refuses %s', async (query) => {
    const { status, json } = await read(query);

    expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is readable by operators of every role only', async () => {
    for (const path of ['', '/verify']) {
      for (const role of ['ADMIN', 'FINANCE', 'SUPPORT'] as const) {
        expect((await read(path, role)).status).toBe(200);
      }
      expect((await read(path, null)).status).toBe(401);
    }
  });
});

describe('an audit log’s verification', () => {
  test('continues from the next position of an answer', async () => {
    const begin = await read('/verify?limit=3');
    const rest = await read(`/verify?after=${begin.json.data.next}`);

    expect(begin.json.data).toMatchObject({ isIntact: true, rows: 3, firstBrokenSequence: null });
    expect(rest.json.data).toMatchObject({ isIntact: true, rows: 1, next: null });
    expect(rest.json.data.last).toMatch(/^4:[0-9a-f]{64}$/);
  });

  test.each(['?after=4', '?after=x', '?limit=0', '?limit=50001', '?page=1'])('refuses %s', async (query) => {
    const { status, json } = await read(`/verify${query}`);

    expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

test('every service’s log has its own path, the gateway’s has two', () => {
  const paths = Object.values(auditLogs).map(({ list }) => list.path);

  expect([...paths, api.listAuditLog.path].toSorted()).toEqual([
    '/v1/admin/audit-log',
    '/v1/admin/charges/audit-log',
    '/v1/admin/gateway/audit-log',
    '/v1/admin/ledger/audit-log',
    '/v1/admin/webhooks/audit-log',
    '/v1/admin/withdrawals/audit-log',
  ]);
});

describe('the cursors of a list', () => {
  test('lead to the next page with the same filters', async () => {
    const { json } = await read('?limit=2&action=wallet.block');
    expect(json.meta).toEqual({ total: 3, page: 1, limit: 2, pages: 2, next: expect.any(String) });

    const { json: last } = await read(`?action=wallet.block&limit=1&after=${json.meta.next}`);

    expect(last.data).toMatchObject([{ sequence: 1 }]);
    expect(last.meta).toEqual({ total: 3, page: 2, limit: 1, pages: 3 });
  });

  test('are refused with other filters or after a change', async () => {
    const { next } = (await read('?limit=2')).json.meta;
    const [cursor, mark] = next.split('.');
    const wrong = ['x', cursor, `${cursor}.`, `${cursor}x.${mark}`, newId(), `${next}.${mark}`];

    const answers = await Promise.all([
      read(`?limit=2&action=wallet.block&after=${next}`),
      ...wrong.map((after) => read(`?after=${after}`)),
    ]);

    const message = 'after: must be the meta.next of an answer of this list with the same filters';
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual(
      answers.map(() => [400, { code: 'VALIDATION_ERROR', message }]),
    );
    expect((await read('?after=')).status).toBe(400);
    expect((await read(`?after=${next}&after=${next}`)).status).toBe(400);
  });
});
