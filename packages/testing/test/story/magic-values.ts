import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { readDocuments } from '../documents.ts';
import { tokenOf } from './bank.ts';
import { anOrder, type Client } from './client.ts';
import { insist } from './insist.ts';
import type { Cast } from './world.ts';

interface Row {
  where: string;
  value: string;
  happens: string;
  /** The statuses, error codes and reasons that a row of the table contains, in their order. */
  codes: string[];
}

function magicValues(): Row[] {
  const [, part = ''] = (readDocuments().get('docs/sandbox.md') ?? '').split('## Magic values');
  const [table = ''] = part.split('\n## ');
  return [...table.matchAll(/^\| (card|Pix key|amount)([^|]*) \| `([^`]+)`[^|]*\| ([^|]+) \|$/gm)].map(
    ([, what = '', more = '', value = '', happens = '']) => ({
      where: (`${what}${more}`.split(',')[0] ?? '').trim(),
      value,
      happens: happens.trim(),
      codes: [...happens.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    }),
  );
}

const rows = magicValues();
const isStatus = (code: string) => code === code.toUpperCase();
const PAID_CENTS = 10_000;

/**
 * Tests each row of the table through the public API. The rows run in parallel, because many rows are slow.
 */
export function testMagicValues(cast: () => Cast): void {
  const played = new Map<Row, Promise<void>>();
  let merchant: Client;

  beforeAll(async () => {
    ({ merchant } = cast());
    for (const _ of rows) await paid();
    for (const row of rows) played.set(row, play(row));
    await Promise.allSettled(played.values());
  }, 600_000);

  async function paid(): Promise<unknown> {
    const { data } = await merchant.post('/v1/charges', anOrder({ amount: PAID_CENTS }));
    await merchant.post(`/v1/charges/${data.id}/simulate-payment`);
    return data.id;
  }

  async function byCard({ value, codes }: Row): Promise<void> {
    const order = anOrder({ paymentMethod: 'CARD', cardToken: await tokenOf(merchant, value) });
    const first = await merchant.post('/v1/charges', order);
    const last = await insist(() => merchant.post('/v1/charges', order));
    const codesOf = ({ data, body: { error } }: typeof first) =>
      error ? [error.code, error.reason] : [data.status];
    const isLate = first.status === 503;

    const received = isLate ? [first.body.error?.code, codesOf(last)[0]] : codesOf(first);

    expect(received).toEqual(codes);
    if (!isLate) expect(codesOf(last)).toEqual(codes);
  }

  async function byKey({ value: pixKey, codes, happens }: Row): Promise<void> {
    const order = { amount: 1_000, pixKey, pixKeyType: 'EMAIL' };
    const { data } = await eventually(async () => {
      const created = await merchant.post('/v1/withdrawals', order);
      expect(created.status).toBe(201);
      return created;
    });
    const now = async () => (await merchant.get(`/v1/withdrawals/${data.id}`)).data;
    for (const status of codes.filter(isStatus)) {
      await eventually(async () => expect((await now()).status).toBe(status), { timeoutMs: 90_000 });
    }
    const end = await now();
    const { failureReason, waitingFor } = end;
    const reason = failureReason ?? Object(waitingFor).what;
    expect([reason].filter(Boolean)).toEqual(codes.filter((code) => !isStatus(code)));
    const took = Date.parse(String(end.completedAt)) - Date.parse(String(end.createdAt));
    if (secondsIn(happens)) expect(took).toBeGreaterThanOrEqual(secondsIn(happens) * 1_000);
    if (end.status === 'PENDING') await merchant.post(`/v1/sandbox/withdrawals/${data.id}/reject`);
  }

  async function byRefund({ where, value, codes, happens }: Row): Promise<void> {
    const id = where.includes('card') ? await paidByCard() : await paid();
    const begunAt = performance.now();
    await eventually(async () => {
      const answer = await merchant.post(`/v1/charges/${id}/refund`, { amount: Number(value) });
      expect(answer.body.error?.code).not.toBe('INSUFFICIENT_BALANCE');
    });
    const now = async () => {
      const { refunds } = (await merchant.get(`/v1/charges/${id}`)).data;
      return Object(Array.isArray(refunds) ? refunds[0] : undefined);
    };
    for (const status of codes.filter(isStatus)) {
      await eventually(async () => expect((await now()).status).toBe(status), { timeoutMs: 60_000 });
    }
    const { failureReason } = await now();
    expect([failureReason].filter(Boolean)).toEqual(codes.filter((code) => !isStatus(code)));
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(secondsIn(happens) * 1_000);
  }

  async function byReturn({ value, codes, happens }: Row): Promise<void> {
    const { data } = await merchant.post('/v1/charges', anOrder({ amount: PAID_CENTS }));
    const begunAt = performance.now();
    await merchant.post(`/v1/sandbox/charges/${data.id}/pay`, { amount: Number(value) });
    for (const status of codes) {
      await eventually(
        async () => {
          const { list } = await merchant.get(`/v1/unexpected-payments?chargeId=${data.id}`);
          expect(list[0]?.status).toBe(status);
        },
        { timeoutMs: 60_000 },
      );
    }
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(secondsIn(happens) * 1_000);
  }

  async function paidByCard(): Promise<unknown> {
    const cardToken = await tokenOf(merchant, '4000000000000010');
    const order = anOrder({ amount: PAID_CENTS, paymentMethod: 'CARD', cardToken });
    return (await merchant.post('/v1/charges', order)).data.id;
  }

  const ways: Record<string, (row: Row) => Promise<void>> = {
    card: byCard,
    'Pix key of a withdrawal': byKey,
    'amount of a Pix refund': byRefund,
    'amount of a card refund': byRefund,
    'amount of an unexpected Pix payment': byReturn,
  };

  async function play(row: Row): Promise<void> {
    await ways[row.where]?.(row);
  }

  describe('in the table', () => {
    test('are all tested', () => {
      const [, part = ''] = (readDocuments().get('docs/sandbox.md') ?? '').split('## Magic values');
      const [table = ''] = part.split('\n## ');

      expect(rows).toHaveLength((table.match(/^\|/gm) ?? []).length - 2);
      expect(new Set(rows.map(({ where }) => where))).toEqual(new Set(Object.keys(ways)));
    });

    test.each(rows)('$where $value: $happens', async (row) => {
      expect(row.codes).not.toEqual([]);
      await played.get(row);
    });
  });
}

function secondsIn(text: string): number {
  return Number(/for (\d+) s/.exec(text)?.[1] ?? 0);
}
