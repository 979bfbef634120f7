import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createSecretBox, recordSealingKey } from '@plataforma/data';
import { eventually } from '@plataforma/testing';
import { silent, worldOfFile } from '@plataforma/testing/world';
import { resealSecrets } from '../src/operations/reseal-secrets.ts';
import { startWebhooks } from '../src/service.ts';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const first = { id: 'first', key: Buffer.alloc(32, 7) };
const second = { id: 'second', key: Buffer.alloc(32, 8) };
const settingOf = (...keys: (typeof first)[]) =>
  keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
const rotated = settingOf(second, first);
const secretBox = createSecretBox([second, first]);
const url = 'https://shop.example/hook';

const world = worldOfFile(startWorld);
const call = callsTo(world);

beforeAll(async () => {
  await recordSealingKey(world.database, 'second');
});

const reseal = () =>
  resealSecrets({ database: world.database, secretBox, keyIds: ['second', 'first'], log: silent });

async function secretOf(id: string): Promise<{ keyId: string; secret: string }> {
  const [row] = await world.database.query<{ secret_key_id: string; secret_sealed: Buffer }>(
    'SELECT secret_key_id, secret_sealed FROM configurations WHERE id = $1',
    [id],
  );
  if (!row) throw new Error('there is no such configuration');
  const sealed = { keyId: row.secret_key_id, sealed: row.secret_sealed };
  return { keyId: sealed.keyId, secret: secretBox.open(sealed, id) };
}

/** Creates configurations whose secrets are encrypted with the first key, and returns the secrets. */
function configure(count: number): Promise<{ id: string; secret: string }[]> {
  return Promise.all(Array.from({ length: count }, () => world.configure(newTenant(), { url })));
}

describe('secrets under an older key', () => {
  test('are resealed unchanged across more than one chunk', async () => {
    const configurations = await configure(210);

    const result = await reseal();
    const again = await reseal();

    expect(result.resealed).toBeGreaterThanOrEqual(210);
    expect([result.left, again]).toEqual([0, { resealed: 0, left: 0 }]);
    for (const { id, secret } of configurations) {
      expect(await secretOf(id)).toEqual({ keyId: 'second', secret });
    }
  });

  test('are resealed once each by two concurrent runs', async () => {
    await reseal();
    await configure(40);

    const [one, other] = await Promise.all([reseal(), reseal()]);

    expect(one.resealed + other.resealed).toBe(40);
    expect(await reseal()).toEqual({ resealed: 0, left: 0 });
  });

  test('are resealed unchanged during their grace period, too', async () => {
    await reseal();
    const tenant = newTenant();
    const { id, secret } = await world.configure(tenant, { url });
    await call(tenant, `POST /${id}/rotate-secret`, { body: { gracePeriodSeconds: 600 } });

    const result = await reseal();

    const [old] = await world.database.query<{ keyId: string; sealed: Buffer }>(
      'SELECT secret_key_id AS "keyId", secret_sealed AS sealed FROM old_secrets WHERE configuration_id = $1',
      [id],
    );
    expect(result).toEqual({ resealed: 2, left: 0 });
    expect([old?.keyId, old && secretBox.open(old, id)]).toEqual(['second', secret]);
  });

  test('are counted when unreadable and do not block others', async () => {
    const [broken, whole] = await configure(2);
    const garbage = 'UPDATE configurations SET secret_sealed = $2 WHERE id = $1';
    await world.database.query(garbage, [broken?.id, Buffer.alloc(60)]);

    const result = await reseal();

    expect(result).toEqual({ resealed: 1, left: 1 });
    expect(await secretOf(whole?.id ?? '')).toEqual({ keyId: 'second', secret: whole?.secret });
    await world.database.query('DELETE FROM configurations WHERE id = $1', [broken?.id]);
  });

  test('are not overwritten by a concurrent rotation or deletion', async () => {
    const tenants = Array.from({ length: 30 }, () => newTenant());
    for (const [i, tenant] of tenants.entries()) {
      const { id } = await world.configure(tenant, { url });
      const change =
        i % 3 === 0
          ? call(tenant, `DELETE /${id}`)
          : call(tenant, `POST /${id}/rotate-secret`, { body: { secret: `the secret of round ${i}` } });

      const [changed] = await Promise.all([change, reseal()]);
      await reseal();

      expect(changed.status).toBe(200);
      if (i % 3 > 0) {
        expect(await secretOf(id)).toEqual({ keyId: 'second', secret: `the secret of round ${i}` });
      }
    }
    const wiped =
      'SELECT count(*) AS total FROM configurations WHERE deleted_at IS NOT NULL AND secret_sealed IS NOT NULL';
    expect(await world.database.query(wiped)).toEqual([{ total: 0 }]);
  });
});

describe('a service with a new first key', () => {
  test('reseals all secrets gradually and continues to sign', async () => {
    const shop = await world.startMerchant();
    const tenant = newTenant();
    const { id, secret } = await world.configure(tenant, { url: shop.url });
    const replica = await startWebhooks(
      { ...world.env, WEBHOOK_SECRET_KEYS: rotated },
      { resealEveryMs: 20 },
    );
    const events = Array.from({ length: 100 }, () => paid(tenant));

    await world.first.stop();
    await world.emitter.announce(...events);
    await eventually(() => expect(shop.deliveries).toHaveLength(100));
    await eventually(async () => expect(await secretOf(id)).toEqual({ keyId: 'second', secret }));
    await replica.stop();
    const newest = await startWebhooks({ ...world.env, WEBHOOK_SECRET_KEYS: settingOf(second) });
    await world.emitter.announce(paid(tenant));
    await eventually(() => expect(shop.deliveries).toHaveLength(101));
    await newest.stop();

    for (const { body, headers } of shop.deliveries) {
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers['x-webhook-signature']).toBe(`sha256=${signature}`);
    }
  });

  test('reseals at once on a command', async () => {
    const replica = await startWebhooks({ ...world.env, WEBHOOK_SECRET_KEYS: settingOf(first, second) });
    const headers = { 'content-type': 'application/json', ...merchantHeader(newTenant()) };
    await fetch(`${replica.url}/v1/webhook-config`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url }),
    });
    await replica.stop();

    const command = new URL('../src/reseal.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [command], {
      env: { ...process.env, ...world.env, WEBHOOK_SECRET_KEYS: rotated },
      stdio: ['ignore', 'pipe', 'inherit'],
    });

    expect(await text(child.stdout)).toBe('sealed anew with second: 1; left under older keys: 0\n');
  });
});
