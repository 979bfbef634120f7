import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { type Delivery, eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { callsTo } from './support/calls.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ forgetEveryMs: 50, retryDelaysMs: [10, 10, 10, 10, 10] }));
const call = callsTo(world);
const shop = beforeFile(() => world.startMerchant());

/** Creates a webhook and collects its secrets. The current secret is the last. */
async function configured() {
  const tenant = newTenant();
  const { id, secret } = await world.configure(tenant, { url: shop.url, signatureVersion: 'standard' });
  const secrets = [secret];
  const rotate = (body: Record<string, unknown>) => call(tenant, `POST /${id}/rotate-secret`, { body });
  return {
    ...{ tenant, id, secrets, rotate },
    async rotated(gracePeriodSeconds: number) {
      const { json } = await rotate({ gracePeriodSeconds });
      secrets.push(api.rotateWebhookSecret.data.parse(json.data).secret);
    },
  };
}

async function deliveryTo(tenant: Tenant): Promise<Delivery> {
  const event = paid(tenant);
  const ofEvent = () => shop.deliveries.find(({ body }) => body.includes(event.data.id));
  await world.emitter.announce(event);
  await eventually(() => expect(ofEvent()).toBeDefined());
  const delivery = ofEvent();
  if (!delivery) throw new Error('nothing was delivered');
  return delivery;
}

/**
 * Returns the indexes of the secrets that made the platform's own signature and the Standard Webhooks
 * signatures.
 */
function signersOf({ headers, body }: Delivery, secrets: readonly string[]) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const contract = secrets.map((secret) => createHmac('sha256', secret).update(body).digest('hex'));
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return createHmac('sha256', key).update(signed).digest('base64');
  });
  return {
    contract: contract.indexOf(String(headers['x-webhook-signature']).slice('sha256='.length)),
    standard: String(headers['webhook-signature'])
      .split(' ')
      .map((signature) => standard.indexOf(signature.slice('v1,'.length))),
  };
}

const graces = (id: string) =>
  world.database.query('SELECT version FROM old_secrets WHERE configuration_id = $1', [id]);
const endGraceOf = (id: string, version: number) =>
  world.database.query(
    'UPDATE old_secrets SET signs_until = now() WHERE configuration_id = $1 AND version = $2',
    [id, version],
  );

describe('a rotation with a grace period', () => {
  test('lets the old secret sign both header formats until its end', async () => {
    const { tenant, id, secrets, rotated } = await configured();

    await rotated(600);
    const during = await deliveryTo(tenant);
    await endGraceOf(id, 1);
    const after = await deliveryTo(tenant);

    expect(signersOf(during, secrets)).toEqual({ contract: 0, standard: [1, 0] });
    expect(signersOf(after, secrets)).toEqual({ contract: 1, standard: [1] });
  });

  test('deletes the old secret at its end', async () => {
    const { id, rotated } = await configured();
    await rotated(600);
    expect(await graces(id)).toHaveLength(1);

    await endGraceOf(id, 1);

    await eventually(async () => expect(await graces(id)).toEqual([]));
  });

  test('signs a retry with the secrets of its own time', async () => {
    const { tenant, id, secrets, rotated } = await configured();
    const event = paid(tenant);
    const attempts = () => shop.deliveries.filter(({ body }) => body.includes(event.data.id));
    shop.answer(({ body }) => ({
      status: body.includes(event.data.id) && attempts().length < 3 ? 500 : 200,
    }));

    await rotated(600);
    await world.emitter.announce(event);
    await eventually(() => expect(attempts()).toHaveLength(3));
    shop.answer(() => ({ status: 200 }));

    const signers = attempts().map((attempt) => signersOf(attempt, secrets));
    expect(signers).toEqual(Array(3).fill({ contract: 0, standard: [1, 0] }));
    expect(await graces(id)).toEqual([{ version: 1 }]);
  });

  test('during another has its own end; the oldest secret signs', async () => {
    const { tenant, id, secrets, rotated } = await configured();

    await rotated(600);
    await rotated(60);
    const both = await deliveryTo(tenant);
    await endGraceOf(id, 1);
    const one = await deliveryTo(tenant);

    expect(signersOf(both, secrets)).toEqual({ contract: 0, standard: [2, 1, 0] });
    expect(signersOf(one, secrets)).toEqual({ contract: 1, standard: [2, 1] });
  });

  test('is refused while four old secrets sign, and changes nothing', async () => {
    const { tenant, secrets, rotate, rotated } = await configured();
    for (let nth = 0; nth < 4; nth += 1) await rotated(600);

    const { status, json } = await rotate({ gracePeriodSeconds: 600 });

    expect([status, json.error?.code]).toEqual([409, 'INVALID_STATE']);
    expect(signersOf(await deliveryTo(tenant), secrets).standard).toEqual([4, 3, 2, 1, 0]);
  });

  test.each([-1, 604_801, 1.5, '60'])('of %p seconds is refused', async (gracePeriodSeconds) => {
    const { rotate } = await configured();

    const { status, json } = await rotate({ gracePeriodSeconds });

    expect([status, json.error?.message]).toEqual([400, expect.stringContaining('gracePeriodSeconds')]);
  });
});

test('a rotation without a grace period ends every other one', async () => {
  const { tenant, id, secrets, rotated } = await configured();
  await rotated(600);

  await rotated(0);

  expect(signersOf(await deliveryTo(tenant), secrets)).toEqual({ contract: 2, standard: [2] });
  expect(await graces(id)).toEqual([]);
});

test('a deleted webhook has no old secrets', async () => {
  const { tenant, id, rotated } = await configured();
  await rotated(600);

  await call(tenant, `DELETE /${id}`);

  expect(await graces(id)).toEqual([]);
});

describe('a webhook read by its id', () => {
  const shown = async (tenant: Tenant, id: string) =>
    api.getWebhookConfiguration.data.parse((await call(tenant, `GET /${id}`)).json.data);

  test('has the same fields as in the list', async () => {
    const { tenant, id } = await configured();

    const { json } = await call(tenant, 'GET ');

    expect([await shown(tenant, id)]).toEqual(json.data);
    expect(JSON.stringify(await shown(tenant, id))).not.toContain('secret');
  });

  test.each([
    ['healthy', { failuresInARow: 0, error: null }],
    ['failing', { failuresInARow: 1, error: 'HTTP 500' }],
    ['failing', { failuresInARow: 3, error: 'connection_failed' }],
    ['slow', { failuresInARow: 1, error: 'timeout' }],
    ['healthy', { failuresInARow: 0, error: 'timeout' }],
  ])('is %s with %j', async (health, { failuresInARow, error }) => {
    const { tenant, id } = await configured();
    const first = await shown(tenant, id);

    await world.database.query(
      `INSERT INTO endpoint_health (configuration_id, last_attempt_at, last_error, failures_in_a_row)
       VALUES ($1, now(), $2, $3)`,
      [id, error, failuresInARow],
    );

    expect([first.health, (await shown(tenant, id)).health]).toEqual(['unknown', health]);
  });

  test('has its health updated by attempts', async () => {
    const { tenant, id } = await configured();
    shop.answer(() => ({ status: 500 }));
    await deliveryTo(tenant);
    await eventually(async () => expect((await shown(tenant, id)).health).toBe('failing'));

    shop.answer(() => ({ status: 200 }));
    await deliveryTo(tenant);

    await eventually(async () => expect((await shown(tenant, id)).health).toBe('healthy'));
  });
});
