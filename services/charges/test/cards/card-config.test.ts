import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { SANDBOX_CARDS_ONLY, startCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';
import { ACCOUNT } from '../support/fake-acquirer.ts';
import { merchantHeader } from '../support/identity.ts';

const world = worldOfFile(() => startCardWorld({ settings: SANDBOX_CARDS_ONLY }));

const read = (shop: Tenant) =>
  world.client.send('/v1/charges/card-config', { method: 'GET', headers: merchantHeader(shop) });

describe('the card configuration', () => {
  test('has the tokenizer’s address and key and the account’s limits', async () => {
    const { status, data } = await read(world.newShop({ maxInstallments: 6 }));

    expect(status).toBe(200);
    expect(data).toEqual({
      publicKey: ACCOUNT.publicKey,
      tokenizeUrl: ACCOUNT.tokenizeUrl,
      maxInstallments: 6,
      cardEnabled: true,
    });
  });

  test('enables cards in the sandbox for every account', async () => {
    const { status, data } = await read(world.newShop({ cardEnabled: false }));

    expect(status).toBe(200);
    expect(data).toMatchObject({ cardEnabled: true, maxInstallments: 12, publicKey: ACCOUNT.publicKey });
  });

  test('hides the secret key and causes no acquirer request', async () => {
    const before = world.acquirer.requests.length;

    const answer = await read(world.newShop());

    expect(JSON.stringify(answer)).not.toContain(ACCOUNT.secretKey);
    expect(world.acquirer.requests).toHaveLength(before);
  });

  test('of an environment without an acquirer is PROVIDER_UNAVAILABLE', async () => {
    expect(await codeOf(read(world.newShop({}, 'production')))).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  });
});
