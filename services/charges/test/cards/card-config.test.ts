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
  test('is the tokenizer’s address and key, and what the account allows', async () => {
    const { status, data } = await read(world.newShop({ maxInstallments: 6 }));

    expect(status).toBe(200);
    expect(data).toEqual({
      publicKey: ACCOUNT.publicKey,
      tokenizeUrl: ACCOUNT.tokenizeUrl,
      maxInstallments: 6,
      cardEnabled: true,
    });
  });

  test('is shown to an account without cards too, which has them in the sandbox all the same', async () => {
    const { status, data } = await read(world.newShop({ cardEnabled: false }));

    expect(status).toBe(200);
    expect(data).toMatchObject({ cardEnabled: true, maxInstallments: 12, publicKey: ACCOUNT.publicKey });
  });

  test('never shows the secret key, and does not ask the acquirer', async () => {
    const before = world.acquirer.requests.length;

    const answer = await read(world.newShop());

    expect(JSON.stringify(answer)).not.toContain(ACCOUNT.secretKey);
    expect(world.acquirer.requests).toHaveLength(before);
  });

  test('of an environment without an acquirer is PROVIDER_UNAVAILABLE', async () => {
    expect(await codeOf(read(world.newShop({}, 'production')))).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  });
});
