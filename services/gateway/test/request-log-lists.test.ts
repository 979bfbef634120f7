import { beforeAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { firstIdOf, newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { insertRequests, type RequestLine, textOf } from '../src/store/request-log.ts';
import { startWorld } from './support/world.ts';

let lines: RequestLine[];

const HOUR_MS = 3_600_000;
const chargeId = newId();

const world = worldOfFile(startWorld);
const merchant = beforeFile(() => world.approvedMerchant());
const key = beforeFile(() => world.newKey(merchant));
beforeAll(async () => {
  await forgetOwn();
  const kinds: Partial<RequestLine>[] = [
    { method: 'POST', path: '/v1/charges', status: 201, objectId: chargeId },
    { path: `/v1/charges/${chargeId}`, objectId: chargeId },
    { path: '/v1/charges', status: 400, errorCode: 'VALIDATION_ERROR', parameters: ['limit'] },
    { path: '/v1/balance', status: 503, errorCode: 'SERVICE_UNAVAILABLE', apiKeyId: null },
    { path: '/v1/balance', status: null, requestId: 'pedido-1' },
    { path: '/v1/balance', environment: 'production' },
  ];
  lines = Array.from({ length: 60 }, (_, at) => ({ ...plain(at), ...kinds[at % kinds.length] }));
  await insertRequests(world.database, lines.map(textOf));
});

/** Deletes the line about the creation of the API key, which the log also contains. */
async function forgetOwn(): Promise<void> {
  await eventually(async () => {
    expect(await world.database.query('DELETE FROM request_log RETURNING id')).toHaveLength(1);
  });
}

let made = 0;

function plain(hours: number): RequestLine {
  made += 1;
  const at = firstIdOf(new Date(Date.now() - hours * HOUR_MS));
  return {
    ...{ id: `${at.slice(0, 13)}-7000-8000-${String(made).padStart(12, '0')}`, merchantId: merchant.id },
    ...{ environment: 'sandbox', apiKeyId: key.id, method: 'GET', path: '/v1/charges', parameters: [] },
    ...{ status: 200, errorCode: null, durationMs: 5, objectId: null, requestId: null },
    errorMessage: null,
  };
}

async function listed(query: string, own = key) {
  const { json, status, code } = await world.call(`/v1/requests?${query}`, {
    headers: { 'x-api-key': own.key },
  });
  const rows = status === 200 ? api.listRequests.data.array().parse(json.data) : [];
  const meta = Object(json.meta);
  return { status, code, ids: rows.map(({ id }) => id), total: meta.total, next: meta.next };
}

const idsOf = (isShown: (line: RequestLine) => boolean) =>
  lines.filter((line) => line.environment === 'sandbox' && isShown(line)).map(({ id }) => id);

test.each<[query: string, isShown: (line: RequestLine) => boolean]>([
  ['', () => true],
  ['status=2xx', ({ status }) => status !== null && status < 300],
  ['status=4xx', ({ status }) => status === 400],
  ['status=5xx', ({ status }) => status === 503],
  ['method=POST', ({ method }) => method === 'POST'],
  ['path=/v1/ch', ({ path }) => path.startsWith('/v1/ch')],
  ['path=%25', () => false],
  ['source=key', ({ apiKeyId }) => apiKeyId !== null],
  ['source=session', ({ apiKeyId }) => apiKeyId === null],
  [`objectId=${chargeId}`, ({ objectId }) => objectId === chargeId],
  ['requestId=pedido-1', ({ requestId }) => requestId === 'pedido-1'],
  ['search=pedido-1', ({ requestId }) => requestId === 'pedido-1'],
  [`search=${chargeId}`, ({ objectId }) => objectId === chargeId],
  ['search=/v1/balance', ({ path }) => path === '/v1/balance'],
  [`method=GET&objectId=${chargeId}`, ({ method, objectId }) => method === 'GET' && objectId === chargeId],
])('a list with %j has its matching requests, newest first, and total', async (query, isShown) => {
  const expected = idsOf(isShown);

  expect(await listed(`limit=100&${query}`)).toMatchObject({ ids: expected, total: expected.length });
});

test('requests are found by their own id and their key’s id', async () => {
  const [first] = lines;

  expect(await listed(`requestId=${first?.id}`)).toMatchObject({ ids: [first?.id] });
  expect((await listed(`apiKeyId=${key.id}`)).total).toBe(
    idsOf(({ apiKeyId }) => apiKeyId === key.id).length,
  );
  expect((await listed(`apiKeyId=${newId()}`)).total).toBe(0);
});

test('a period has whole days of the account’s time zone', async () => {
  const day = new Date(Date.now() - 24 * HOUR_MS).toLocaleDateString('sv-SE', {
    timeZone: 'America/Sao_Paulo',
  });
  const [start, end] = [new Date(`${day}T00:00:00-03:00`), new Date(`${day}T23:59:59.999-03:00`)];
  const query = `startDate=${day}&endDate=${day}&limit=100`;
  const lines = idsOf(({ id }) => id >= firstIdOf(start) && id < firstIdOf(new Date(end.getTime() + 1)));

  // A new account has the time zone of São Paulo.
  expect((await listed(query)).ids).toEqual(lines);
  expect((await listed(`${query}&timeZone=America/Sao_Paulo`)).ids).toEqual(lines);
});

test('cursors list each request once while new ones arrive', async () => {
  const read: string[] = [];
  const isOfNow = idsOf(() => true);
  for (let after = ''; ; ) {
    const { ids, next } = await listed(`limit=7&status=2xx${after}`);
    read.push(...ids);
    await insertRequests(world.database, [textOf({ ...plain(0), id: newId(), environment: 'production' })]);
    if (!next) break;
    after = `&after=${next}`;
  }

  expect(read).toEqual(idsOf(({ status }) => status !== null && status < 300));
  expect(isOfNow).toEqual(expect.arrayContaining(read));
});

test('other merchants and the other environment see no requests', async () => {
  const stranger = await world.approvedMerchant();
  const live = await world.newKey(merchant, { environment: 'production' });

  const { status, ids } = await listed('limit=100', await world.newKey(stranger));
  // The list may already contain the line about the creation of the stranger's API key.
  expect([status, ids.filter((id) => lines.some((line) => line.id === id))]).toEqual([200, []]);
  expect((await listed('limit=100&method=GET&status=2xx', live)).ids).not.toEqual([]);
  expect((await listed(`objectId=${chargeId}`, live)).ids).toEqual([]);
});

test('a key needs a scope that reads an area', async () => {
  const narrow = await world.newKey(merchant, { scopes: ['refunds:write'] });
  const webhooks = await world.newKey(merchant, { scopes: ['webhooks:write'] });

  expect(await listed('', narrow)).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' });
  expect(await listed('', webhooks)).toMatchObject({ status: 200 });
});

test('requests older than the retention are hidden before they are deleted', async () => {
  const old = plain(24 * 7 + 1);
  const young = plain(24 * 7 - 1);
  await insertRequests(world.database, [old, young].map(textOf));

  const { ids } = await listed(`path=/v1/charges&limit=100&source=key`);

  expect(ids).toContain(young.id);
  expect(ids).not.toContain(old.id);
});
