import { expect, test } from '@jest/globals';
import type { Evidence } from '../../src/chaos/check/evidence.ts';
import { violation } from '../../src/chaos/check/finding.ts';
import { checkForgedEntries, checkInsiders, withoutForged } from '../../src/chaos/check/insiders.ts';
import { checkLastWords } from '../../src/chaos/check/last-words.ts';
import type { Call } from '../../src/chaos/history.ts';

const MERCHANT = '01a2038f-c7da-7ab5-b4f4-8a5590408e03';

const insiders = {
  breaches: new Set(['two ADMINs: a forged ADMIN logs in']),
  forged: new Set([MERCHANT]),
  entries: new Map([['unblock', 2]]),
};
const evidence = { insiders } as Partial<Evidence> as Evidence;

test('harm of an insider is a finding', async () => {
  expect(await checkInsiders(evidence)).toEqual([
    violation(11, 'an insider, with two ADMINs: a forged ADMIN logs in'),
  ]);
});

test('findings about forged books are omitted, others are not', () => {
  const [forged, other] = [violation(1, `wallet ${MERCHANT} sandbox`), violation(1, 'wallet of others')];

  expect(withoutForged([forged, other], insiders)).toEqual([other]);
  expect(withoutForged([forged, other])).toEqual([forged, other]);
});

test.each([
  ['{"what":"unblock without an order (a, b)","recorded":2,"computed":0}', 0],
  ['{"what":"unblock without an order (a)","recorded":1,"computed":0}', 1],
  ['{"what":"block without an order (a, b)","recorded":2,"computed":0}', 1],
])('forged entries must be named, all of them: %s', (difference, findings) => {
  expect(checkForgedEntries([difference], insiders)).toHaveLength(findings);
});

const call = (number: number, given: Partial<Call>): Call => ({
  ...{ number, actor: 'operator', action: 'x', intent: `${number}`, idempotencyKey: null },
  ...{ method: 'PATCH', path: `/v1/admin/merchants/${MERCHANT}/settings`, body: { pixFeeBps: 120 } },
  ...{ startedAt: number, endedAt: number, status: 202, answer: { data: { id: 'p', status: 'PROPOSED' } } },
  ...given,
});
const approval = (status: number | null) =>
  call(2, { method: 'POST', path: '/v1/admin/proposals/p/approve', body: null, status, answer: null });

async function lostWith(calls: Call[], pixFeeBps: number): Promise<number> {
  const client = { query: async () => ({ rows: [{ id: MERCHANT, snapshot: { pixFeeBps } }] }) };
  const databases = { webhooks: client, gateway: client } as unknown as Evidence['databases'];
  return (await checkLastWords({ databases, calls } as Partial<Evidence> as Evidence)).length;
}

test('a proposed setting counts from its approval on', async () => {
  const earlier = call(0, { body: { pixFeeBps: 99 }, status: 200, answer: { data: {} } });

  expect(await lostWith([earlier, call(1, {})], 99)).toBe(0);
  expect(await lostWith([earlier, call(1, {})], 120)).toBe(1);
  expect(await lostWith([earlier, call(1, {}), approval(200)], 99)).toBe(1);
  expect(await lostWith([earlier, call(1, {}), approval(200)], 120)).toBe(0);
  expect(await lostWith([earlier, call(1, {}), approval(403)], 99)).toBe(0);
  for (const now of [99, 120]) expect(await lostWith([earlier, call(1, {}), approval(null)], now)).toBe(0);
});
