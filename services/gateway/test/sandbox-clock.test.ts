import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { eventsOf } from './support/operators.ts';
import { send } from './support/send.ts';
import { type Merchant, startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { clockMaxWaitMs: 300 } }));

afterEach(() => everythingDone());

const DAY_MS = 86_400_000;
const works = ['charges', 'ledger', 'withdrawals'] as const;

/** Makes a service report that it knows the new clock and that `due` items are due. */
function leaves(service: (typeof works)[number], due: number, aheadMs = Number.MAX_SAFE_INTEGER): void {
  world.services[service].answer(() => ({
    status: 200,
    body: JSON.stringify({ success: true, data: { aheadMs, due } }),
  }));
}

function everythingDone(): void {
  for (const service of works) leaves(service, 0);
}

const read = (headers: Record<string, string>) => world.call('/v1/sandbox/clock', { headers });
const move = (headers: Record<string, string>, body: object) =>
  world.post('/v1/sandbox/clock', body, headers);

async function newMerchant(): Promise<Merchant> {
  everythingDone();
  return world.newMerchant();
}

const aheadOf = async ({ id }: Merchant) =>
  (await world.database.query('SELECT sandbox_ahead_ms AS ms FROM organizations WHERE id = $1', [id]))[0]?.ms;

describe('the clock of a sandbox', () => {
  test('shows the real time until it is moved', async () => {
    const { bearer } = await newMerchant();

    const { status, json } = await read(bearer);

    expect(status).toBe(200);
    expect(json.data).toMatchObject({ aheadSeconds: 0, waitingFor: [] });
    expect(Math.abs(Date.parse(String(Object(json.data).now)) - Date.now())).toBeLessThan(60_000);
  });

  test('moves by a duration or to an instant, and announces it', async () => {
    const merchant = await newMerchant();

    const first = await move(merchant.bearer, { advance: 'P1W2DT3H4M5S' });
    const at = new Date(Date.now() + 30 * DAY_MS);
    const second = await move(merchant.bearer, { at: at.toISOString() });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.json.data).toMatchObject({ aheadSeconds: 9 * 86_400 + 3 * 3_600 + 4 * 60 + 5 });
    expect(Math.abs(Date.parse(String(Object(second.json.data).now)) - at.getTime())).toBeLessThan(60_000);
    const announced = (await eventsOf(world, merchant.id)).map(({ data }) => data);
    expect(announced.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(announced.map(({ sandboxAheadMs }) => Math.round(Number(sandboxAheadMs) / DAY_MS))).toEqual([
      0, 9, 30,
    ]);
    const clocks = (await world.eventsOf(merchant.id)).filter(({ type }) => type === 'merchant.clock_moved');
    expect(clocks.map(({ data }) => data)).toEqual(
      announced.slice(1).map(({ id, sandboxAheadMs }) => ({ id, sandboxAheadMs })),
    );
  });

  test.each<[string, object, string]>([
    ['back', { at: '2026-01-01T00:00:00Z' }, '409 INVALID_STATE'],
    ['by more than a year', { advance: 'P366D' }, '400 VALIDATION_ERROR'],
    ['to more than a year ahead', { at: '2030-01-01T00:00:00Z' }, '409 INVALID_STATE'],
    ['by zero', { advance: 'PT0S' }, '400 VALIDATION_ERROR'],
    ['by months', { advance: 'P1M' }, '400 VALIDATION_ERROR'],
    ['by an empty duration', { advance: 'P' }, '400 VALIDATION_ERROR'],
    ['in two ways at once', { advance: 'P1D', at: '2026-12-24T00:00:00Z' }, '400 VALIDATION_ERROR'],
    ['without a target', {}, '400 VALIDATION_ERROR'],
  ])('does not move %s', async (_how, body, refusal) => {
    const merchant = await newMerchant();

    const { status, json } = await move(merchant.bearer, body);

    expect(`${status} ${json.error?.code}`).toBe(refusal);
    expect(await aheadOf(merchant)).toBe(0);
  });

  test('is at most five years ahead', async () => {
    const merchant = await newMerchant();
    for (let year = 0; year < 5; year += 1) await move(merchant.bearer, { advance: 'P365D' });

    const { status, json } = await move(merchant.bearer, { advance: 'PT1S' });

    expect(`${status} ${json.error?.code}`).toBe('409 INVALID_STATE');
    expect(await aheadOf(merchant)).toBe(5 * 365 * DAY_MS);
  });

  test(`adds two concurrent moves, ${rounds(20)} times`, async () => {
    const merchant = await newMerchant();

    for (let round = 1; round <= rounds(20); round += 1) {
      await Promise.all([
        move(merchant.bearer, { advance: 'P1D' }),
        move(merchant.bearer, { advance: 'P2D' }),
      ]);
      expect(await aheadOf(merchant)).toBe(round * 3 * DAY_MS);
    }
  });

  test('does not exist in production', async () => {
    const merchant = await world.approvedMerchant();
    const { key } = await world.newKey(merchant, { environment: 'production' });

    const answers = [await move({ 'x-api-key': key }, { advance: 'P1D' }), await read({ 'x-api-key': key })];

    expect(answers.map(({ status, json }) => `${status} ${json.error?.code}`)).toEqual([
      '403 SANDBOX_ONLY',
      '403 SANDBOX_ONLY',
    ]);
    expect(await aheadOf(merchant)).toBe(0);
  });
});

describe('a move of the clock', () => {
  test('waits until all due work is done', async () => {
    const merchant = await newMerchant();
    let looks = 0;
    world.services.ledger.answer(() => {
      looks += 1;
      const data = looks < 3 ? { aheadMs: 0, due: 0 } : { aheadMs: DAY_MS, due: 0 };
      return { status: 200, body: JSON.stringify({ success: true, data }) };
    });

    const { status, json } = await move(merchant.bearer, { advance: 'P1D' });

    expect([status, looks]).toEqual([200, 3]);
    expect(json.data).toMatchObject({ waitingFor: [] });
  });

  test('waits for two requests of a merchant and refuses a third', async () => {
    const merchant = await newMerchant();
    const { url } = await world.startReplica({ clockMaxWaitMs: 60_000 });
    const moveThere = () =>
      send(`${url}/v1/sandbox/clock`, { method: 'POST', headers: merchant.bearer, body: { advance: 'P1D' } });
    const responses: ServerResponse[] = [];
    world.services.ledger.intercept((_req, res) => void responses.push(res));
    const waiting = [1, 2].map(() => moveThere());
    await eventually(() => expect(responses).toHaveLength(2));

    const third = await moveThere();
    world.services.ledger.intercept(undefined);
    for (const res of responses) res.writeHead(503).end();
    await Promise.all(waiting);

    expect([third.status, third.json.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await aheadOf(merchant)).toBe(2 * DAY_MS);
    expect((await move(merchant.bearer, { advance: 'P1D' })).status).toBe(200);
  });

  test('reports unfinished work after its timeout, and its retry gets the result', async () => {
    const merchant = await newMerchant();
    const headers = { ...merchant.bearer, 'idempotency-key': 'um-dia' };
    leaves('charges', 2);
    leaves('withdrawals', 0, 0);

    const early = await move(headers, { advance: 'P1D' });
    expect(early.status).toBe(202);
    expect(early.json.data).toMatchObject({
      waitingFor: [
        { what: 'charges', count: 2 },
        { what: 'withdrawals', count: null },
      ],
    });
    everythingDone();
    const late = await move(headers, { advance: 'P1D' });
    const again = await move(headers, { advance: 'P1D' });

    expect([late.status, again.status]).toEqual([200, 200]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json.data).toEqual(late.json.data);
    expect(await aheadOf(merchant)).toBe(DAY_MS);
  });
});

test('sandbox keys expire by the sandbox clock, production keys by real time', async () => {
  const merchant = await world.approvedMerchant();
  everythingDone();
  const expiresAt = new Date(Date.now() + 2 * DAY_MS).toISOString();
  const [sandbox, production] = [
    await world.newKey(merchant, { environment: 'sandbox', expiresAt }),
    await world.newKey(merchant, { environment: 'production', expiresAt }),
  ];
  const list = (key: string) => world.call('/v1/charges', { headers: { 'x-api-key': key } });
  // This call puts the key into the replica's cache, as may happen at any replica before a move.
  expect((await list(sandbox.key)).status).toBe(200);
  await move(merchant.bearer, { advance: 'P3D' });

  const answers = [await list(sandbox.key), await list(production.key)];

  expect(answers.map(({ status, json }) => json.error?.code ?? status)).toEqual(['API_KEY_EXPIRED', 200]);
});

test('a sandbox key that is rotated at once ends in real time', async () => {
  const merchant = await newMerchant();
  await move(merchant.bearer, { advance: 'P365D' });
  const [atOnce, later] = [await world.newKey(merchant), await world.newKey(merchant)];

  const endOf = async ({ id }: { id: string }, gracePeriodSeconds: number) => {
    const body = { gracePeriodSeconds };
    await world.post(`/v1/api-keys/${id}/rotate`, body, merchant.bearer);
    const sql = 'SELECT revoked_at AS at FROM api_keys WHERE id = $1';
    const [row] = await world.database.query<{ at: Date }>(sql, [id]);
    return Math.round((Number(row?.at) - Date.now()) / DAY_MS) + 0;
  };
  expect([await endOf(atOnce, 0), await endOf(later, 86_400)]).toEqual([0, 366]);
  const { json } = await world.call('/v1/charges', { headers: { 'x-api-key': atOnce.key } });
  expect(json.error?.code).toBe('API_KEY_REVOKED');
});
