import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type DoomedProcess, eventually } from '@plataforma/testing';
import { processesOfService } from '@plataforma/testing/world';
import { type Sending, send } from './support/send.ts';
import { type Merchant, startWorld, type World } from './support/world.ts';

let world: World;
let ahead: DoomedProcess;
let merchant: Merchant;
/**
 * The token comes from the replica whose clock is an hour ahead. That replica would refuse a token of the
 * other replica as expired.
 */
let bearer: { authorization: string };

beforeAll(async () => {
  world = await startWorld();
  ahead = await startProcess(world.env, { isHourAhead: true });
  merchant = await world.approvedMerchant();
  const { email, password } = merchant;
  const { json } = await askAhead('/v1/auth/login', { method: 'POST', body: { email, password } });
  bearer = { authorization: `Bearer ${api.logIn.data.parse(json.data).accessToken}` };
});
afterAll(async () => {
  await ahead.terminate();
  await world.stop();
});

const startProcess = processesOfService({
  module: new URL('../src/service.ts', import.meta.url),
  start: 'startGateway',
  clientOf: () => undefined,
});
const askAhead = (path: string, sending: Sending) => send(`${ahead.url}${path}`, sending);
const codeOf = async (key: string, replica: string) =>
  (await send(`${replica}/v1/balance`, { headers: { 'x-api-key': key } })).code;

test.each([
  ['is revoked', 'DELETE', ''],
  ['is replaced', 'POST', '/rotate'],
])('a key that %s by a fast-clock replica works nowhere', async (...how) => {
  const [, method, path] = how;
  const { id, key } = await world.newKey(merchant);

  await askAhead(`/v1/api-keys/${id}${path}`, { method, headers: bearer });

  for (const replica of [world.gateway.url, ahead.url])
    await eventually(async () => expect(await codeOf(key, replica)).toBe('API_KEY_REVOKED'));
});

test('a replica with a fast clock accepts an unexpired key', async () => {
  const expiresAt = new Date(Date.now() + 30 * 60_000).toISOString();
  const { key } = await world.newKey(merchant, { expiresAt });

  expect([await codeOf(key, world.gateway.url), await codeOf(key, ahead.url)]).toEqual(['', '']);
});
