import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '@plataforma/observe';
import { openGateway } from '../src/gateway.ts';
import { startFakeGateway } from './support/fake-gateway.ts';

let fake: Awaited<ReturnType<typeof startFakeGateway>>;

beforeAll(async () => {
  fake = await startFakeGateway();
});
afterAll(() => fake.stop());

/** Sends two requests to `web` and returns the warnings in its log. */
async function warningsOf(headers: Record<string, string>): Promise<string[]> {
  const warnings: string[] = [];
  const log = createLog({ service: 'web', level: 'silent' });
  log.warn = (...given: unknown[]) => void warnings.push(String(given.at(-1)));
  fake.answering('POST /v1/auth/login', () => ({ ...fake.given({}), headers }));
  const gateway = openGateway(fake.url, log, 1);
  for (let count = 0; count < 2; count += 1) {
    await gateway.ask({ method: 'POST', path: '/v1/auth/login', headers: {}, body: '{}' });
  }
  await gateway.close();
  return warnings;
}

test('an ignored forwarded address is logged once with its remedy', async () => {
  expect(await warningsOf({ 'x-forwarded-for-ignored': 'true' })).toEqual([
    expect.stringMatching(/does not believe whose address web forwards.*TRUSTED_PROXIES of the gateway/),
  ]);
});

test('an accepted forwarded address is not logged', async () => {
  expect(await warningsOf({})).toEqual([]);
});
