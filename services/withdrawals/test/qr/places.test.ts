import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { createFakeBank } from '../support/qr-bank.ts';
import { staticCode } from '../support/qr-codes.ts';
import { startDecoder } from '../support/qr-decoder.ts';

const bank = createFakeBank();
let waiting: (() => void)[] = [];
let isOpen = false;

const decoder = worldOfFile(() =>
  startDecoder({
    guarded: {
      async request(request) {
        if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
        return bank.web.request(request);
      },
    },
  }),
);

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
