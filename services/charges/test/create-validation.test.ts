import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const created = api.createCharge.data;

test('an order with one invalid field stores nothing', async () => {
  const externalId = 'nunca-criado';

  const { status, error } = await world.client.create(newTenant(), newOrder({ externalId, amount: 99 }));

  expect([status, error?.message]).toEqual([400, 'amount: must be at least 100']);
  expect(await world.attemptsOf(externalId)).toEqual([]);
});

describe('an unusual order', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the smallest amount', { amount: 100 }, { amount: 100 }],
    ['a whole amount written with decimals', { amount: 2500.0 }, { amount: 2500 }],
    ['blanks around the externalId', { externalId: '  pedido-7 ' }, { externalId: 'pedido-7' }],
    ['the longest externalId', { externalId: 'ç'.repeat(64) }, { externalId: 'ç'.repeat(64) }],
    ['a description with emoji', { description: 'Bolo 🎂' }, { description: 'Bolo 🎂' }],
    ['unknown fields', { installments: 3, note: {} }, { paymentMethod: 'PIX' }],
  ])('is accepted: %s', async (_what, changes, expected) => {
    const { status, data } = await world.client.create(newTenant(), newOrder(changes));

    expect(status).toBe(201);
    expect(data).toMatchObject(expected);
  });

  test.each([
    ["Antônia D'Ávila-Müller, 2ª via (MEI)", 'Antônia DÁvilaMüller 2ª via MEI'],
    [' Zé\t\u0000da   Silva\ud800 ', 'Zé da Silva'],
    ['Jose\u0301', 'José'],
    ['Maria \u2764\ufe0f', 'Maria'],
    ['3M', '3M'],
  ])('keeps the letters, digits and spaces of the name %j', async (payerName, nome) => {
    const { txid } = await world.client.newCharge(newTenant(), { payerName });

    expect(world.provider.book.find(txid)?.fields.devedor).toMatchObject({ nome });
  });

  test.each([
    ['123.456.789-09', { cpf: '12345678909' }],
    [' 34.665.388/0001-61 ', { cnpj: '34665388000161' }],
    ['12.abc.345/01de-35', { cnpj: '12ABC34501DE35' }],
    ['\u202a12.abc.345/01de\u201135\u202c', { cnpj: '12ABC34501DE35' }],
  ])('has its payer’s document without punctuation: %s', async (payerDocument, expected) => {
    const { txid } = await world.client.newCharge(newTenant(), { payerDocument });

    expect(world.provider.book.find(txid)?.fields.devedor).toMatchObject(expected);
  });
});

describe('the check digits of a document', () => {
  const wrong = ['12345678900', '11111111111', '52599927000100', '12ABC34501DE36'];

  test.each(wrong)('are not checked in the sandbox: %s', async (payerDocument) => {
    const { status } = await world.client.create(newTenant('sandbox'), newOrder({ payerDocument }));

    expect(status).toBe(201);
  });

  test.each(wrong)('are required in production: %s', async (payerDocument) => {
    const { status, error } = await world.client.create(newTenant('production'), newOrder({ payerDocument }));

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toMatch(/^payerDocument: /);
  });

  test.each(['11144477735', '34665388000161', '12ABC34501DE35'])(
    'are accepted in production when right: %s',
    async (payerDocument) => {
      const { status } = await world.client.create(newTenant('production'), newOrder({ payerDocument }));

      expect(status).toBe(201);
    },
  );
});

test('SQL in a field is stored as text', async () => {
  const tenant = newTenant();
  const externalId = `'); DROP TABLE charges; --`;

  const { data } = await world.client.create(tenant, newOrder({ externalId, description: '$1 %s \\' }));

  const { id } = created.parse(data);
  expect(await world.client.charge(tenant, id)).toMatchObject({ externalId, description: '$1 %s \\' });
});
