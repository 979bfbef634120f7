import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Environment, newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { SANDBOX_CARDS_ONLY, startCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';
import { ACCOUNT } from '../support/fake-acquirer.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { processOfFile } from '../support/service-process.ts';

const world = worldOfFile(() => startCardWorld({ settings: SANDBOX_CARDS_ONLY }));

const created = api.createCharge.data;

async function refusalOf(changes: Record<string, unknown>, traits = {}, environment?: Environment) {
  const order = world.orderWith(world.newCard(), changes);
  const { status, error } = await world.client.create(world.newShop(traits, environment), order);
  return { status, code: error?.code, message: error?.message, order };
}

describe('the validation of a card order', () => {
  test('accepts installments up to the account’s maximum', async () => {
    const shop = world.newShop({ maxInstallments: 6 });
    const six = await world.client.create(shop, world.orderWith(world.newCard(), { installments: 6 }));

    const seven = await refusalOf({ installments: 7 }, { maxInstallments: 6 });

    expect(six.status).toBe(201);
    expect(seven).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(seven.message).toBe('installments: must be at most 6');
    expect(await world.attemptsOf(seven.order.externalId)).toEqual([]);
  });

  test('sends no invalid order to the acquirer', async () => {
    const before = world.acquirer.requests.length;

    await refusalOf({ installments: 19 });
    await refusalOf({ installments: 13 }, { maxInstallments: 12 });
    await refusalOf({}, { cardEnabled: false }, 'production');

    expect(world.acquirer.requests).toHaveLength(before);
  });
});

describe('an account', () => {
  test('without cards gets CARD_NOT_ENABLED in production', async () => {
    const { status, code, order } = await refusalOf({}, { cardEnabled: false }, 'production');

    expect([status, code]).toEqual([403, 'CARD_NOT_ENABLED']);
    expect(await world.attemptsOf(order.externalId)).toEqual([]);
  });

  test('without cards may try them in the sandbox', async () => {
    expect(await refusalOf({}, { cardEnabled: false })).toMatchObject({ status: 201 });
  });

  test('without an acquirer gets PROVIDER_UNAVAILABLE', async () => {
    const shop = world.newShop({}, 'production');
    const order = world.orderWith(world.newCard(), { payerDocument: '11144477735' });

    expect(await codeOf(world.client.create(shop, order))).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(await world.attemptsOf(order.externalId)).toEqual([]);
  });
});

describe('a card number', () => {
  const NUMBER = '4000000000000010';
  const service = processOfFile(world, 'debug');

  const tables = `
    SELECT format('%I', table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`;

  async function tablesWith(text: string): Promise<string[]> {
    const found: string[] = [];
    for (const { name } of await world.database.queryUnprepared<{ name: string }>(tables, [])) {
      const rows = await world.database.queryUnprepared(
        `SELECT 1 FROM ${name} AS t WHERE row_to_json(t)::text LIKE '%' || $1 || '%' LIMIT 1`,
        [text],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  test.each<[string, Record<string, unknown>]>([
    ['cardToken', { cardToken: NUMBER }],
    ['number', { card: { number: NUMBER, cvv: '123' } }],
    ['number', { card: { number: 4_000_000_000_000_010 } }],
    ['metadata', { metadata: [{ deep: { number: '4000 0000 0000 0010' } }] }],
    ['description', { description: `cartão 4000-0000-0000-0010` }],
    ['statementDescriptor', { statementDescriptor: '378282246310005' }],
    ['unknown', { unknown: NUMBER }],
    ['list', { list: ['a', NUMBER] }],
  ])('in %s is refused and stored nowhere: %j', async (field, changes) => {
    const order = world.orderWith(world.newCard(), changes);

    const { status, error } = await service.client.create(world.newShop(), order);

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toMatch(new RegExp(`^${field}: holds a card number`));
    expect(await tablesWith('4000000000000010')).toEqual([]);
  });

  test('reaches no table, no log and no acquirer', async () => {
    const honest = world.orderWith(world.newCard());
    const { status, data } = await service.client.create(world.newShop(), honest);
    const { id } = created.parse(data);
    const hidden = { ...world.orderWith(world.newCard()), [NUMBER]: true, note: `n${NUMBER} ${newId()}` };
    const refused = await service.client.create(world.newShop(), hidden);
    await service.client.create(newTenant(), `{"card": "${NUMBER}", `);

    await service.terminate();

    const requests = JSON.stringify(world.acquirer.requests);
    expect([status, refused.status]).toEqual([201, 400]);
    expect(await tablesWith(id)).toEqual(expect.arrayContaining(['charges', 'outbox']));
    expect(requests).toContain(id);
    expect(service.output()).toContain('"status":201');
    for (const written of [requests, service.output()]) {
      expect(written).not.toMatch(/4000[ -]?0000[ -]?0000[ -]?0010/);
    }
    expect(await tablesWith(String(honest.cardToken))).toEqual([]);
    expect(service.output()).not.toContain('token_');
  });
});

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
