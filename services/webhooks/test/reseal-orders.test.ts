import { expect, test } from '@jest/globals';
import { eventually, TICK_MS } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startWebhooks } from '../src/service.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

/**
 * Returns the id of the key that encrypts a configuration's secret, and PostgreSQL's version (xmin) of the
 * row. Each update of the row changes the version.
 */
async function stateOf(id: string) {
  const [row] = await world.database.query<{ key: string; version: string }>(
    'SELECT secret_key_id AS key, xmin::text AS version FROM configurations WHERE id = $1',
    [id],
  );
  return row;
}

async function configureAt(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/webhook-config`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...merchantHeader(newTenant()) },
    body: JSON.stringify({ url: 'https://shop.example/hook' }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return data.id;
}

test('replicas with different key orders settle on the newer key', async () => {
  const old = world.env.WEBHOOK_SECRET_KEYS;
  const newer = `newer:${Buffer.alloc(32, 9).toString('base64')}`;
  const start = (keys: string) =>
    startWebhooks({ ...world.env, WEBHOOK_SECRET_KEYS: keys }, { resealEveryMs: TICK_MS });
  const before = await start(`${old},${newer}`);
  const first = await configureAt(before.url);
  const after = await start(`${newer},${old}`);
  await eventually(async () => expect((await stateOf(first))?.key).toBe('newer'));
  const state = await stateOf(first);

  for (const at of [before, after, before, before]) {
    const id = await configureAt(at.url);
    await eventually(async () => expect((await stateOf(id))?.key).toBe('newer'));
  }

  expect(await stateOf(first)).toEqual(state);
  await Promise.all([before.stop(), after.stop()]);
});
