import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
      async request(wanted) {
        if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
        return bank.web.request(wanted);
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

test('so many codes wait for their banks at once, and no merchant has all the places', async () => {
  const merchants = Array.from({ length: 4 }, () => newTenant('production'));
  const [greedy, ...others] = merchants;
  if (!greedy) throw new Error('there are four');
  const running = Array.from({ length: 5 }, () => decode(greedy));
  await allWait(5);

  const sixth = await decode(greedy);
  running.push(...others.flatMap((tenant) => Array.from({ length: 5 }, () => decode(tenant))));
  await allWait(20);
  const last = await decode(newTenant('production'));
  const printed = await decoder.decode(staticCode('arya@stark.com'), greedy);

  expect([sixth, last]).toMatchObject([BUSY, BUSY]);
  expect(last.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(printed.status).toBe(200);

  isOpen = true;
  for (const release of waiting) release();
  waiting = [];
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect((await decode(greedy)).status).toBe(200);
});

test('slow banks of sandboxes leave half of the slots to production', async () => {
  isOpen = false;
  const sandboxes = Array.from({ length: 6 }, () => newTenant());
  const running = sandboxes.flatMap((tenant) => Array.from({ length: 5 }, () => decode(tenant)));
  await allWait(10);
  const merchants = Array.from({ length: 2 }, () => newTenant('production'));
  running.push(...merchants.flatMap((tenant) => Array.from({ length: 5 }, () => decode(tenant))));
  await allWait(20);

  isOpen = true;
  for (const release of waiting.splice(0)) release();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503)).toHaveLength(20);
  expect(statuses.slice(30)).toEqual(Array(10).fill(200));
});

test('a place is free again whatever became of the code', async () => {
  const tenant = newTenant();
  const codes = [bank.code({}), bank.code(undefined, { alg: 'none' }), bank.code(undefined, { jku: 'x' })];
  const statuses = [];
  for (let round = 0; round < 8; round += 1) {
    for (const code of codes) statuses.push((await decoder.decode(code, tenant)).status);
  }

  expect(new Set(statuses)).toEqual(new Set([422]));
});
