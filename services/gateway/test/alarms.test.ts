import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type AlarmView, api } from '@plataforma/contracts';
import { positionOf } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { operatorAs } from './support/operators.ts';
import { sharedWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);
let headers: { authorization: string };

beforeAll(async () => {
  headers = (await operatorAs(world, 'SUPPORT')).headers;
});
afterEach(() => {
  for (const name of ['charges', 'withdrawals'] as const) world.services[name].intercept(undefined);
});

const alarm = (service: AlarmView['service'], minute: number): AlarmView => ({
  ...{ id: newId(), service, subject: service === 'charges' ? 'refund' : 'payout', subjectId: newId() },
  ...{ chargeId: null, merchantId: newId(), environment: 'sandbox', kind: 'DONE_AFTER_FAILED', amount: 900 },
  ...{ providerReference: null, raisedAt: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString() },
  ...{ settledAt: null, settledBy: null, note: null, settlingProposedBy: null },
});

/** Makes a service return these alarms, newest first, at most as many as the query requests. */
function has(service: AlarmView['service'], alarms: AlarmView[]): void {
  world.services[service].answer(({ url }) => {
    const { searchParams } = new URL(url, 'http://service');
    const after = searchParams.get('after');
    const [before = '9'] = after === null ? [] : positionOf(after, 2).values;
    const behind = alarms.filter(({ raisedAt }) => raisedAt < String(before));
    const newest = Number(searchParams.get('newest'));
    const data = { total: alarms.length, alarms: behind.slice(0, newest) };
    return { status: 200, body: JSON.stringify({ success: true, data }) };
  });
}

const answer = z.object({
  data: z.array(api.listAlarms.data),
  meta: z.object({ total: z.int(), pages: z.int(), next: z.string().optional() }),
});
const page = async (query: string) => {
  const { status, json } = await world.call(`/v1/admin/alarms?${query}`, { headers });
  expect(status).toBe(200);
  return answer.parse(json);
};

describe('the alarms of all services', () => {
  test('are one list, newest first, in pages', async () => {
    const ofCharges = [alarm('charges', 5), alarm('charges', 1)];
    const ofWithdrawals = [alarm('withdrawals', 4), alarm('withdrawals', 3)];
    has('charges', ofCharges);
    has('withdrawals', ofWithdrawals);

    const first = await page('limit=3');
    const pages = [first, await page(`limit=3&after=${first.meta.next}`), await page('limit=3&page=3')];

    const inOrder = [ofCharges[0], ...ofWithdrawals, ofCharges[1]];
    expect(pages.map(({ data }) => data)).toEqual([inOrder.slice(0, 3), inOrder.slice(3), []]);
    expect(pages.map(({ meta }) => meta)).toEqual([
      { total: 4, pages: 2, next: expect.any(String) },
      ...Array(2).fill({ total: 4, pages: 2 }),
    ]);
  });

  test('pass through unchanged, with kinds and fields of newer releases', async () => {
    const newer = { ...alarm('charges', 5), kind: 'SPLIT_IN_TWO', subject: 'gift', amount: '9', more: [1] };
    const ordinary = alarm('withdrawals', 4);
    has('charges', [newer as unknown as AlarmView]);
    has('withdrawals', [ordinary]);

    const { status, json } = await world.call('/v1/admin/alarms', { headers });

    expect(status).toBe(200);
    expect(json).toMatchObject({ data: [newer, ordinary], meta: { total: 2 } });
  });

  test('are requested with the gateway’s identity and the operator’s filters', async () => {
    has('charges', []);
    has('withdrawals', []);
    const merchantId = newId();

    await page(`settled=false&merchantId=${merchantId}&environment=production&limit=2&page=3`);

    for (const service of ['charges', 'withdrawals'] as const) {
      const { url, headers: sent } = world.services[service].last();
      const { pathname, searchParams } = new URL(url, 'http://service');
      const expectedQuery = { settled: 'false', merchantId, environment: 'production', newest: '7' };
      expect([pathname, Object.fromEntries(searchParams)]).toEqual(['/internal/alarms', expectedQuery]);
      const token = String(sent['x-internal-identity']);
      expect(verifierOf(service).verify(token)).toMatchObject({ identity: { kind: 'service' } });
    }
  });

  test('are refused with 503 when one service does not answer', async () => {
    has('charges', [alarm('charges', 1)]);
    world.services.withdrawals.intercept((req) => req.socket.destroy());

    const { status, json } = await world.call('/v1/admin/alarms', { headers });

    expect(status).toBe(503);
    expect(json).toMatchObject({
      error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/withdrawals/) },
    });
  });
});

test.each([
  ['no credentials', {}, '401'],
  ['an unknown filter', { query: '?kind=RETURNED' }, '400'],
])('a request for the alarms is refused: %s', async (_what, { query = '' }: { query?: string }, expected) => {
  const { status } = await world.call(`/v1/admin/alarms${query}`, query ? { headers } : {});

  expect(String(status)).toBe(expected);
});
