import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { chargesConfig } from '../src/config.ts';
import { codeOf, newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const unconfigured = {
  ...{ PIX_PRODUCTION_URL: null, PIX_PRODUCTION_CLIENT_ID: null },
  ...{ PIX_PRODUCTION_CLIENT_SECRET: null, PIX_PRODUCTION_KEY: null, SANDBOX_CONTROL_URL: null },
};
const world = worldOfFile(() => startWorld({ settings: unconfigured }));

describe('an environment without a provider', () => {
  test('is PROVIDER_UNAVAILABLE and stores no order', async () => {
    const tenant = newTenant('production');

    const { status, error, headers } = await world.client.create(tenant, newOrder());

    expect([status, error?.code, headers.get('retry-after')]).toEqual([503, 'PROVIDER_UNAVAILABLE', '2']);
    expect((await world.client.list(tenant)).data).toEqual([]);
  });

  test('leaves the other environment working', async () => {
    const { status } = await world.client.create(newTenant('sandbox'), newOrder());

    expect(status).toBe(201);
  });
});

describe('a sandbox without a bank', () => {
  test('is NO_SANDBOX_BANK for a simulated payment', async () => {
    const tenant = newTenant();
    const { id } = await world.client.newCharge(tenant);

    expect(await codeOf(world.client.simulate(tenant, id))).toEqual([409, 'NO_SANDBOX_BANK']);
    expect((await world.client.charge(tenant, id)).status).toBe('PENDING');
  });

  test('is NO_SANDBOX_BANK for a payment, also a late one', async () => {
    const tenant = newTenant();
    const { id } = await world.client.newCharge(tenant);

    const answers = [
      await world.client.payInSandbox(tenant, id),
      await world.client.payInSandbox(tenant, id, { late: true }),
    ];

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(2).fill([409, 'NO_SANDBOX_BANK']),
    );
    expect((await world.client.charge(tenant, id)).status).toBe('PENDING');
  });
});

describe('the configuration', () => {
  test('may omit a provider', () => {
    expect(() => readConfig(chargesConfig, world.env)).not.toThrow();
  });

  test('needs all settings of a provider', () => {
    const half = { ...world.env, PIX_PRODUCTION_URL: 'https://pix.example.com', PIX_PRODUCTION_KEY: 'k' };

    const read = () => readConfig(chargesConfig, half);

    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PIX_PRODUCTION_CLIENT_ID: is missing\n.*PIX_PRODUCTION_CLIENT_SECRET: is missing$/);
  });

  test('accepts a checkout address only over https or locally', () => {
    const read = (PUBLIC_CHECKOUT_URL: string) => () =>
      readConfig(chargesConfig, { ...world.env, PUBLIC_CHECKOUT_URL });

    expect(read('http://pagar.loja.example')).toThrow(/PUBLIC_CHECKOUT_URL: must be https/);
    expect(read('http://127.0.0.1:8081')).not.toThrow();
  });

  test('refuses a weak secret without repeating it', () => {
    const read = () => readConfig(chargesConfig, { ...world.env, PIX_CALLBACK_SECRET: 'segredo' });

    expect(read).toThrow(/PIX_CALLBACK_SECRET: /);
    expect(read).not.toThrow(/segredo/);
  });
});

describe('readiness', () => {
  test('says that the service can be used', async () => {
    await eventually(async () => {
      const answer = await fetch(`${world.first.url}/readyz`);

      expect(answer.status).toBe(200);
    });
  });
});
