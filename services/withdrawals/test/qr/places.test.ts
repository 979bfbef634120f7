import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { newTenant } from '../support/identity.ts';
import { createFakeBank } from '../support/qr-bank.ts';
import { staticCode } from '../support/qr-codes.ts';
import { type Decoder, startDecoder } from '../support/qr-decoder.ts';

const bank = createFakeBank();
let waiting: (() => void)[] = [];
let isOpen = false;
let decoder: Decoder;

beforeAll(async () => {
  decoder = await startDecoder({
    guarded: {
      async request(request) {
        if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
        return bank.web.request(request);
      },
    },
  });
});
afterAll(() => decoder.stop());

const decode = (tenant: Tenant) => decoder.decode(bank.code(), tenant);
const allWait = (count: number) => eventually(() => expect(waiting).toHaveLength(count));
const BUSY = {
  status: 503,
  error: { code: 'SERVICE_UNAVAILABLE', message: 'too many codes are being read; try again shortly' },
};

test('codes that wait for banks are limited, also per merchant', async () => {
  const [greedy, ...others] = [
    newTenant('production'),
    ...Array.from({ length: 9 }, () => newTenant('production')),
  ];
  const running = Array.from({ length: 5 }, () => decode(greedy));
  await allWait(5);

  const sixth = await decode(greedy);
  for (const tenant of others) running.push(...Array.from({ length: 5 }, () => decode(tenant)));
  await allWait(48);
  const last = await decode(newTenant('production'));
  const printed = await decoder.decode(staticCode('arya@stark.com'), greedy);

  expect([sixth, last]).toMatchObject([BUSY, BUSY]);
  expect(last.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(printed.status).toBe(200);

  isOpen = true;
  for (const release of waiting) release();
  waiting = [];
  expect((await Promise.all(running)).map(({ status }) => status).sort()).toEqual([
    ...Array(48).fill(200),
    503,
    503,
  ]);
  expect((await decode(greedy)).status).toBe(200);
});

test('slow banks of sandboxes leave half of the slots to production', async () => {
  isOpen = false;
  const { total } = pools.pixCodes;
  const decodings = (count: number, environment: Tenant['environment']) =>
    Array.from({ length: count }, () => decode(newTenant(environment)));
  const running = decodings(total, 'sandbox');
  await allWait(total / 2);
  running.push(...decodings(total / 2, 'production'));
  await allWait(total);

  isOpen = true;
  for (const release of waiting.splice(0)) release();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503)).toHaveLength(total / 2);
  expect(statuses.slice(total)).toEqual(Array(total / 2).fill(200));
});
