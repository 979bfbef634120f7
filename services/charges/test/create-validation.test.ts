import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
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

async function answerTo(payerDocument: string, { key = newId(), tenant = newTenant() as Tenant } = {}) {
  const headers = { ...merchantHeader(tenant), 'idempotency-key': key };
  const body = newOrder({ payerDocument, externalId: key });
  const answer = await world.client.send('/v1/charges', { method: 'POST', headers, body });
  return { status: answer.status, warning: answer.headers.get('x-sandbox-warning') };
}

test.each([
  ['123.456.789-00', 'CPF'],
  ['11111111111', 'CPF'],
  ['12345678000100', 'CNPJ'],
  ['12ABC34501DE00', 'CNPJ'],
])('the sandbox accepts the document %s with a warning about production', async (payerDocument, type) => {
  const warning = `payerDocument: the check digits of this ${type} are wrong; production refuses it`;

  expect(await answerTo(payerDocument)).toEqual({ status: 201, warning });
});

test('the same request gets the same warning again', async () => {
  const request = { key: newId(), tenant: newTenant() };

  const first = await answerTo('12345678900', request);

  expect(first.warning).toContain('CPF');
  expect(await answerTo('12345678900', request)).toEqual(first);
});

test('a valid document and production get no warning', async () => {
  const production = { ...newTenant(), environment: 'production' as const };

  expect(await answerTo('12345678909')).toEqual({ status: 201, warning: null });
  expect(await answerTo('12345678909', { tenant: production })).toEqual({ status: 201, warning: null });
  expect(await answerTo('12345678900', { tenant: production })).toEqual({ status: 400, warning: null });
});

const largest = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`${i}`.padEnd(40, 'ç'), '😀'.repeat(250)]),
);

describe('the payer of a charge', () => {
  test.each([
    ['12.ABC.345/01DE-35', '**.ABC.345/01DE-**'],
    ['123.456.789-09', '***.456.789-**'],
  ])('has a name, an e-mail address, and %s shown as %s', async (payerDocument, shown) => {
    const charge = await world.client.newCharge(newTenant(), {
      ...{ payerDocument, payerName: 'José, D’Ávila', payerEmail: 'Jose@Loja.Example' },
    });

    expect(charge).toMatchObject({
      payerName: 'José DÁvila',
      payerDocument: shown,
      payerEmail: 'jose@loja.example',
    });
  });
});

describe('metadata', () => {
  test.each([
    ['of a shop', { loja: 'matriz', 'vendedor.nome': 'José', vazio: '', pedidoId: '1234567890123456' }],
    ['of the largest size', largest],
    ['that is empty', {}],
  ])('%s is stored, shown and announced', async (_which, metadata) => {
    const tenant = newTenant();
    const { id, txid, ...first } = await world.client.newCharge(tenant, { metadata });
    world.provider.book.pay(txid);
    await world.client.notify(txid);

    const again = await world.client.charge(tenant, id);

    const [paid] = await world.eventsOf(id);
    expect([first.metadata, again.metadata]).toEqual([metadata, metadata]);
    expect(paid).toMatchObject({ type: 'charge.paid', data: { metadata } });
  });

  test('stays as first sent when the order is repeated', async () => {
    const tenant = newTenant();
    const order = newOrder({ metadata: { loja: 'matriz' } });
    await world.client.create(tenant, order);

    const again = await world.client.create(tenant, { ...order, metadata: { loja: 'filial' } });

    expect([again.status, created.parse(again.data).metadata]).toEqual([200, { loja: 'matriz' }]);
  });

  test.each([{ nota: 'cartão 4111 1111 1111 1111' }, { '4111111111111111': 'cartão' }])(
    'with a card number is refused: %j',
    async (metadata) => {
      const { status, error } = await world.client.create(newTenant(), newOrder({ metadata }));

      expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(error?.message).toContain('card number');
      expect(error?.message).not.toContain('4111');
    },
  );
});
