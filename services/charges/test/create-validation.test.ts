import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newOrder } from './support/client.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const created = api.createCharge.data;

async function refusalOf(changes: Record<string, unknown>) {
  const { status, error } = await world.client.create(newTenant(), newOrder(changes));
  return { status, code: error?.code, message: error?.message };
}

test.each<[string, Record<string, unknown>]>([
  ['null', { paymentMethod: null, description: null, payerEmail: null, metadata: null, expiresIn: null }],
  ['an empty text', { description: '', payerEmail: '' }],
  ['a text with nothing visible', { description: ' \u200b\n', payerEmail: '\u2060' }],
])('%s is as if the optional field was left out', async (_kind, absent) => {
  const { status, data } = await world.client.create(newTenant(), newOrder(absent));

  expect(status).toBe(201);
  expect(data).toMatchObject({ paymentMethod: 'PIX', description: null, payerEmail: null, metadata: {} });
});

test('a description of two lines becomes one, and its emoji stay', async () => {
  const description = 'Pedido 1001\r\nentrega\u202e hoje 👩🏽‍💻';

  const { data } = await world.client.create(newTenant(), newOrder({ description }));

  expect(data).toMatchObject({ description: 'Pedido 1001 entrega hoje 👩🏽‍💻' });
});

describe('an order that is wrong in one field', () => {
  test.each<[string, unknown, string]>([
    ['amount', undefined, 'is required'],
    ['amount', null, 'is required'],
    ['amount', '2500', 'must be a number'],
    ['amount', 2500.5, 'must be an integer'],
    ['amount', 99, 'must be at least 100'],
    ['amount', -2500, 'must be at least 100'],
    ['amount', 100_000_000_000, 'must be at most 99999999999'],
    ['amount', 1e300, 'must be at most 99999999999'],
    ['amount', -1e300, 'must be at least 100'],
    ['externalId', undefined, 'is required'],
    ['externalId', 17, 'must be a text'],
    ['externalId', '', 'is required'],
    ['externalId', '   ', ''],
    ['externalId', 'a'.repeat(65), 'must have at most 64 characters'],
    ['externalId', 'pedido\u0000', 'may not hold control characters'],
    ['externalId', 'pedido\n1', 'may not hold control characters'],
    ['externalId', 'pedido\u007f', 'may not hold control characters'],
    ['externalId', 'pedido \ud83d', 'may not hold control characters'],
    ['payerName', undefined, 'is required'],
    ['payerName', null, 'is required'],
    ['payerName', '', 'is required'],
    ['payerName', ['Maria'], 'must be a text'],
    ['payerName', '!?* -', 'is required'],
    ['payerName', '\u0000\ud800', 'is required'],
    ['payerName', '\u2764\ufe0f', 'is required'],
    ['payerName', '\u0301', 'is required'],
    ['payerName', '\u20e3', 'is required'],
    ['payerName', '\u034f', 'is required'],
    ['payerName', '\u3164', 'is required'],
    ['payerName', 'é'.repeat(121), 'must have at most 120 characters'],
    ['payerDocument', undefined, 'is required'],
    ['payerDocument', 12_345_678_909, 'must be a text'],
    ['payerDocument', '1234567890', 'must be a CPF (11 digits) or CNPJ (14)'],
    ['payerDocument', '123456789012', 'must be a CPF (11 digits) or CNPJ (14)'],
    ['payerDocument', '1234567890A', 'must be a CPF (11 digits) or CNPJ (14)'],
    ['payerDocument', '12ABC34501DEAA', 'must be a CPF (11 digits) or CNPJ (14)'],
    ['payerDocument', '١٢٣٤٥٦٧٨٩٠٩', 'must be a CPF (11 digits) or CNPJ (14)'],
    ['payerDocument', '1234567890\u0000', 'must be a CPF (11 digits) or CNPJ (14)'],
    ['paymentMethod', 'BOLETO', 'must be PIX or CARD'],
    ['paymentMethod', 'CRYPTO', 'must be PIX or CARD'],
    ['paymentMethod', 'pix', 'must be PIX or CARD'],
    ['description', 7, 'must be a text'],
    ['description', 'a'.repeat(256), 'must have at most 255 characters'],
    ['description', 'a\u0000b', 'may not hold control characters'],
    ['description', '\udc00', 'may not hold control characters'],
    ['payerEmail', 'maria', 'must be an e-mail address'],
    ['payerEmail', 'maria\u0000@example.com', 'must be an e-mail address'],
    ['payerEmail', `${'a'.repeat(250)}@example.com`, 'must have at most 254 characters'],
    ['metadata', 'loja', ''],
    ['metadata', ['loja'], ''],
    ['metadata', { loja: 17 }, 'must be a text'],
    ['metadata', { loja: null }, 'must be a text'],
    ['metadata', { loja: { a: 'b' } }, 'must be a text'],
    ['metadata', { loja: 'a'.repeat(501) }, 'must have at most 500 characters'],
    ['metadata', { loja: 'a\u0000b' }, 'may not hold control characters'],
    ['metadata', { ['a'.repeat(41)]: 'b' }, 'a name has 1 to 40 characters'],
    ['metadata', { '': 'b' }, 'a name has 1 to 40'],
    ['metadata', { 'a b': 'c' }, 'no blanks'],
    ['metadata', { 'a[b]': 'c' }, 'no blanks, brackets'],
    [
      'metadata',
      Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])),
      'at most 20 entries',
    ],
    ['expiresIn', 0, 'must be at least 1'],
    ['expiresIn', 2_592_001, 'must be at most 2592000'],
    ['expiresIn', '3600', 'must be a number'],
    ['expiresIn', 1.5, 'must be an integer'],
  ])('names %s, here %j', async (field, value, reason) => {
    const refusal = await refusalOf({ [field]: value });

    expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(refusal.message).toMatch(new RegExp(`^${field}(\\.[^:]*)?: `));
    expect(refusal.message).toContain(reason);
  });

  test('leaves nothing behind, here or at the provider', async () => {
    const externalId = 'nunca-criado';

    await refusalOf({ externalId, amount: 99 });

    const rows = await world.database.query('SELECT id FROM charges WHERE external_id = $1', [externalId]);
    expect(rows).toEqual([]);
  });
});

describe('a body that is no order', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    world.client.send('/v1/charges', {
      method: 'POST',
      headers: { ...merchantHeader(newTenant()), ...headers },
      body,
    });

  test.each([
    ['{"amount": 2500,', 400, 'VALIDATION_ERROR'],
    ['[]', 400, 'VALIDATION_ERROR'],
    ['"order"', 400, 'VALIDATION_ERROR'],
    ['', 400, 'VALIDATION_ERROR'],
    [JSON.stringify({ description: 'a'.repeat(102_400) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('is refused: %.20s', async (body, status, code) => {
    const answer = await post(body);

    expect([answer.status, answer.error?.code]).toEqual([status, code]);
  });
});

describe('an order that is unusual', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the smallest amount', { amount: 100 }, { amount: 100 }],
    ['a whole amount written with decimals', { amount: 2500.0 }, { amount: 2500 }],
    ['blanks around the externalId', { externalId: '  pedido-7 ' }, { externalId: 'pedido-7' }],
    ['the longest externalId', { externalId: 'ç'.repeat(64) }, { externalId: 'ç'.repeat(64) }],
    ['a description with emoji', { description: 'Bolo 🎂' }, { description: 'Bolo 🎂' }],
    ['unknown fields', { installments: 3, note: {} }, { paymentMethod: 'PIX' }],
  ])('is taken: %s', async (_what, changes, expected) => {
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

    expect(world.provider.book.find(txid)?.terms.devedor).toMatchObject({ nome });
  });

  test.each([
    ['123.456.789-09', { cpf: '12345678909' }],
    [' 34.665.388/0001-61 ', { cnpj: '34665388000161' }],
    ['12.abc.345/01de-35', { cnpj: '12ABC34501DE35' }],
    ['\u202a12.abc.345/01de\u201135\u202c', { cnpj: '12ABC34501DE35' }],
  ])('has its payer’s document without punctuation: %s', async (payerDocument, expected) => {
    const { txid } = await world.client.newCharge(newTenant(), { payerDocument });

    expect(world.provider.book.find(txid)?.terms.devedor).toMatchObject(expected);
  });
});

describe('the check digits of a document', () => {
  const wrong = ['12345678900', '11111111111', '52599927000100', '12ABC34501DE36'];

  test.each(wrong)('are not looked at in the sandbox: %s', async (payerDocument) => {
    const { status } = await world.client.create(newTenant('sandbox'), newOrder({ payerDocument }));

    expect(status).toBe(201);
  });

  test.each(wrong)('are demanded in production: %s', async (payerDocument) => {
    const { status, error } = await world.client.create(newTenant('production'), newOrder({ payerDocument }));

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toMatch(/^payerDocument: /);
  });

  test.each(['11144477735', '34665388000161', '12ABC34501DE35'])(
    'may be right: %s',
    async (payerDocument) => {
      const { status } = await world.client.create(newTenant('production'), newOrder({ payerDocument }));

      expect(status).toBe(201);
    },
  );
});

test('text that SQL would mind is only text', async () => {
  const tenant = newTenant();
  const externalId = `'); DROP TABLE charges; --`;

  const { data } = await world.client.create(tenant, newOrder({ externalId, description: '$1 %s \\' }));

  const { id } = created.parse(data);
  expect(await world.client.charge(tenant, id)).toMatchObject({ externalId, description: '$1 %s \\' });
});
