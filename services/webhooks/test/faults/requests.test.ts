import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { callsTo } from '../support/calls.ts';
import { faultCalls, faultedShop } from '../support/faults.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);
const faults = faultCalls(world);

describe('the faults of a webhook', () => {
  test('are listed with the remaining count and end when deleted', async () => {
    const { tenant, configId } = await faultedShop(world, [{ kind: 'drop' }, { kind: 'delay', count: 7 }]);

    const [delay, drop] = await faults.left(tenant);
    const { status } = await faults.call(tenant, `DELETE /${delay?.id}`);
    const again = await faults.call(tenant, `DELETE /${delay?.id}`);

    expect(delay).toMatchObject({ configId, kind: 'delay', count: 7, left: 7 });
    expect([status, again.status]).toEqual([200, 404]);
    expect(await faults.left(tenant)).toEqual([drop]);
  });

  test('can be filtered by webhook and are deleted with it', async () => {
    const { shop, tenant, configId } = await faultedShop(world, [{ kind: 'drop' }]);
    const other = await world.configure(tenant, { url: shop.url });
    await faults.ask(tenant, other.id, { kind: 'delay' });

    const ofOne = await faults.call(tenant, `GET ?configId=${configId}`);
    await callsTo(world)(tenant, `DELETE /${configId}`);

    expect(ofOne.json.data).toMatchObject([{ configId, kind: 'drop' }]);
    expect(await faults.left(tenant)).toMatchObject([{ configId: other.id }]);
  });

  test.each(['webhookId', 'configId'])('identify their webhook by %s', async (name) => {
    const { tenant, configId } = await faultedShop(world, []);
    const other = await world.configure(tenant, { url: 'https://outra.example/webhooks' });
    const fault = { kind: 'drop' };

    const { json } = await faults.call(tenant, 'POST ', { body: { ...fault, [name]: configId } });
    await faults.ask(tenant, other.id, fault);
    const unnamed = await faults.call(tenant, 'POST ', { body: fault });
    const found = await faults.call(tenant, `GET ?${name}=${configId}`);

    expect(json.data).toMatchObject({ ...fault, webhookId: configId, configId });
    expect(found.json.data).toEqual([json.data]);
    expect(unnamed).toMatchObject({ status: 400, json: { error: { message: 'webhookId: is required' } } });
  });

  test('accept the deprecated field name and answer with deprecation headers', async () => {
    const { tenant, configId } = await faultedShop(world, []);
    const headersOf = async (name: string, body?: object) => {
      const path = `/v1/sandbox/webhook-faults${body ? '' : `?${name}=${configId}`}`;
      const sent = { ...merchantHeader(tenant), 'idempotency-key': name };
      const answered = await world.client(
        path,
        body
          ? {
              method: 'POST',
              headers: { ...sent, 'content-type': 'application/json' },
              body: JSON.stringify({ ...body, [name]: configId }),
            }
          : { headers: merchantHeader(tenant) },
      );
      return [answered.status, ...['deprecation', 'sunset'].map((each) => answered.headers.get(each))];
    };
    const deprecated = ['@1795824000', 'Sun, 28 Nov 2027 00:00:00 GMT'];

    expect(await headersOf('configId')).toEqual([200, ...deprecated]);
    expect(await headersOf('webhookId')).toEqual([200, null, null]);
    for (let times = 0; times < 2; times += 1) {
      expect(await headersOf('configId', { kind: 'drop' })).toEqual([201, ...deprecated]);
      expect(await headersOf('webhookId', { kind: 'drop' })).toEqual([201, null, null]);
    }
  });

  test('are at most twenty, also for concurrent requests', async () => {
    const { tenant, configId } = await faultedShop(world, []);

    const creations = await Promise.all(
      Array.from({ length: 25 }, () => faults.ask(tenant, configId, { kind: 'drop' })),
    );

    const codes = creations.flatMap(({ json }) => json.error?.code ?? []);
    expect(codes).toEqual(Array(5).fill('INVALID_STATE'));
    expect(await faults.left(tenant)).toHaveLength(20);
  });

  test('are created once for the same Idempotency-Key', async () => {
    const { tenant, configId } = await faultedShop(world, []);
    const request = { body: { configId, kind: 'drop', count: 2 }, key: newId() };

    const [first, second] = [
      await faults.call(tenant, 'POST ', request),
      await faults.call(tenant, 'POST ', request),
    ];

    expect([first.status, second.status, second.isReplay]).toEqual([201, 201, true]);
    expect(second.json).toEqual(first.json);
    expect(await faults.left(tenant)).toHaveLength(1);
  });

  test('are only for the merchant’s own webhooks', async () => {
    const { tenant, configId } = await faultedShop(world, [{ kind: 'drop' }]);
    const stranger = newTenant();
    const [own] = await faults.left(tenant);

    const creation = await faults.ask(stranger, configId, { kind: 'drop' });
    const ended = await faults.call(stranger, `DELETE /${own?.id}`);

    expect([creation.status, ended.status]).toEqual([404, 404]);
    expect(await faults.left(stranger)).toEqual([]);
    expect(await faults.left(tenant)).toEqual([own]);
  });

  test('are SANDBOX_ONLY in production', async () => {
    const shop = await world.startMerchant();
    const tenant = newTenant('production');
    const { id } = await world.configure(tenant, { url: shop.url });

    const answers = [
      await faults.ask(tenant, id, { kind: 'drop' }),
      await faults.call(tenant, 'GET '),
      await faults.call(tenant, `DELETE /${newId()}`),
    ];

    const refused = answers.map(({ status, json }) => [status, json.error?.code]);
    expect(refused).toEqual(Array(3).fill([403, 'SANDBOX_ONLY']));
  });
});
