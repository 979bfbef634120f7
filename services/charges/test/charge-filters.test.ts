import { beforeAll, describe, expect, test } from '@jest/globals';
import { api, type ChargeView } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const tenant = newTenant();
const other = newTenant();
let ana: ChargeView;
let bia: ChargeView;
let paid: ChargeView;
let endToEndId: string;

beforeAll(async () => {
  ana = await world.client.newCharge(tenant, {
    amount: 1_000,
    externalId: 'pedido-0000-ANA1',
    payerName: 'Ana Souza',
    payerDocument: '12345678909',
  });
  bia = await world.client.newCharge(tenant, {
    amount: 2_000,
    externalId: 'pedido-0000-BIA2',
    payerName: 'Bia Conceição Lima',
    payerDocument: '11.144.477/0001-61'.replace(/\D/g, ''),
  });
  paid = await world.client.newCharge(tenant, { amount: 3_000, externalId: 'curto', payerName: 'Caio Reis' });
  await world.client.simulate(tenant, paid.id);
  endToEndId = (await world.client.charge(tenant, paid.id)).endToEndId ?? '';
  await world.client.newCharge(other, { externalId: 'pedido-0000-ANA1', payerName: 'Ana Souza' });
});

const found = (query: Record<string, string>, of = tenant) => world.client.found(of, query);

describe('a search of charges', () => {
  test('finds a charge by whole ids and their last eight characters', async () => {
    for (const { id, txid, externalId } of [ana, bia]) {
      for (const search of [id, id.toUpperCase(), txid, externalId, id.slice(-8), txid.slice(-8)]) {
        expect([search, await found({ search })]).toEqual([search, [id]]);
      }
      expect(await found({ search: externalId.slice(-8) })).toEqual([id]);
    }
    expect(endToEndId).not.toBe('');
    expect(await found({ search: endToEndId })).toEqual([paid.id]);
    expect(await found({ search: endToEndId.slice(-8) })).toEqual([paid.id]);
    expect(await found({ search: 'curto' })).toEqual([paid.id]);
  });

  test('finds a charge by part of the payer’s name', async () => {
    expect(await found({ search: 'souza' })).toEqual([ana.id]);
    expect(await found({ search: 'CONCEIÇÃO l' })).toEqual([bia.id]);
    expect(await found({ search: 'a' })).toEqual([paid.id, bia.id, ana.id]);
  });

  test('finds a name with signs', async () => {
    const shop = newTenant();
    const { id } = await world.client.newCharge(shop, { payerName: "Padaria D'Ávila-Melo & Cia." });

    for (const search of ["d'ávila", 'D’Á', 'ávila-melo &', '& cia.']) {
      expect([search, await found({ search }, shop)]).toEqual([search, [id]]);
    }
    for (const search of ['-', '&', '..', 'ávila+melo']) {
      expect([search, await found({ search }, shop)]).toEqual([search, []]);
    }
  });

  test('finds words in any order, case and accents, and parts of orders', async () => {
    const shop = newTenant();
    const order = { externalId: 'Loja#2026/00471-B', payerName: 'José Ângelo Peçanha', amount: 123_456 };
    const { id } = await world.client.newCharge(shop, { ...order, payerEmail: 'Jose_Angelo@Exemplo.com.br' });
    await world.client.newCharge(shop, { payerName: 'Ana Souza', externalId: 'outro' });

    for (const search of ['jose angelo', 'PEÇANHA josé', 'pecanha  ang', 'loja#2026', '00471-b jose', '0471'])
      expect([search, await found({ search }, shop)]).toEqual([search, [id]]);
    for (const search of ['jose ana', '0472', 'jose_', 'pecanha%', 'exemplo.com.br'])
      expect([search, await found({ search }, shop)]).toEqual([search, []]);
    expect(await found({ search: 'jose' }, other)).toEqual([]);
    expect(await found({ search: 'jose' }, { ...shop, environment: 'production' })).toEqual([]);
  });

  test('finds amounts, documents and e-mails as people type them', async () => {
    const shop = newTenant();
    const payer = { payerDocument: '12345678909', payerEmail: 'Jose_Angelo@Exemplo.com.br' };
    const { id } = await world.client.newCharge(shop, { ...payer, externalId: 'um', amount: 123_450 });
    await world.client.newCharge(shop, { externalId: 'dois', amount: 4_550, payerDocument: '11144477735' });

    for (const search of ['1.234,50', '1234,5', 'R$ 1.234,50', 'r$1234,50', '1,234.50', 'R$ 1234,50 um'])
      expect([search, await found({ search }, shop)]).toEqual([search, [id]]);
    for (const search of ['123.456.789-09', '12345678909', 'jose_angelo@exemplo.com.br', 'JOSE_ANGELO@'])
      expect([search, await found({ search }, shop)]).toEqual([search, [id]]);
    for (const search of ['1.234,51', 'R$ 1.234', '123450', '123.456.789-08', 'jose%@', '@', 'R$'])
      expect([search, await found({ search }, shop)]).toEqual([search, []]);
    expect(await found({ search: '123.456.789-09' }, newTenant())).toEqual([]);
  });

  test('finds only the merchant’s own charges', async () => {
    expect(await found({ search: ana.id }, other)).toEqual([]);
    expect(await found({ search: bia.id.slice(-8) }, other)).toEqual([]);
    for (const search of ['%', 'pedido_', '____', ana.id.slice(-7), 'Ana%', 'x'.repeat(255)]) {
      expect([search, await found({ search })]).toEqual([search, []]);
    }
  });
});

describe('filters of charges', () => {
  test('by amount and by document narrow the list', async () => {
    expect(await found({ minAmount: '2000' })).toEqual([paid.id, bia.id]);
    expect(await found({ maxAmount: '2000' })).toEqual([bia.id, ana.id]);
    expect(await found({ minAmount: '1001', maxAmount: '2999' })).toEqual([bia.id]);
    expect(await found({ payerDocument: '123.456.789-09' })).toContain(ana.id);
    expect(await found({ payerDocument: '11144477000161' })).toEqual([bia.id]);
  });

  test('by endToEndId find the charge', async () => {
    expect(await found({ endToEndId })).toEqual([paid.id]);
    expect(await found({ endToEndId, status: 'PENDING' })).toEqual([]);
  });

  test('combine with each other', async () => {
    expect(await found({ search: 'a', status: 'PAID' })).toEqual([paid.id]);
    expect(await found({ search: 'a', maxAmount: '1500' })).toEqual([ana.id]);
    expect(await found({ minAmount: '1500', status: 'PENDING', paymentMethod: 'PIX' })).toEqual([bia.id]);
    expect(await found({ externalId: 'curto', status: 'PENDING' })).toEqual([]);
    expect(await found({ paymentMethod: 'CARD', status: 'PENDING' })).toEqual([]);
    expect(await found({ search: bia.id, startDate: '2000-01-01', endDate: '2000-01-02' })).toEqual([]);
  });

  test('accept the first and the last possible day and instant', async () => {
    const all = [paid.id, bia.id, ana.id];
    expect(await found({ startDate: '0001-01-01', endDate: '9999-12-31' })).toEqual(all);
    expect(await found({ endDate: '9999-12-31T23:59:59-23:59' })).toEqual(all);
    expect(await found({ startDate: '0000-01-01T00:00:00+23:59' })).toEqual(all);
    expect(await found({ startDate: '9999-12-31', timeZone: 'America/Noronha' })).toEqual([]);
  });
});

const shop = newTenant();
let maria: ChargeView;
let joao: ChargeView;

beforeAll(async () => {
  maria = await world.client.newCharge(shop, { metadata: { loja: 'matriz', vendedor: '17' } });
  joao = await world.client.newCharge(shop, {
    metadata: { loja: 'filial "2"', vendedor: '17', nº: 'a&b' },
  });
  await world.client.newCharge(shop);
  // Another merchant has a charge with the same metadata.
  await world.client.newCharge(newTenant(), { metadata: { loja: 'matriz', vendedor: '17' } });
});

const foundByMetadata = (query: Record<string, string>) => world.client.found(shop, query);

describe('a merchant’s charges', () => {
  test('are foundByMetadata by all given metadata, newest first', async () => {
    expect(await foundByMetadata({ 'metadata[vendedor]': '17' })).toEqual([joao.id, maria.id]);
    expect(await foundByMetadata({ 'metadata[vendedor]': '17', 'metadata[loja]': 'matriz' })).toEqual([
      maria.id,
    ]);
    expect(await foundByMetadata({ 'metadata[loja]': 'filial "2"', 'metadata[nº]': 'a&b' })).toEqual([
      joao.id,
    ]);
    expect(
      await foundByMetadata({ 'metadata[vendedor]': '17', status: 'PENDING', maxAmount: '100' }),
    ).toEqual([]);
    expect(await foundByMetadata({ 'metadata[loja]': 'mat' })).toEqual([]);
    expect(await foundByMetadata({ 'metadata[outra]': '' })).toEqual([]);
  });

  test('continue from a cursor of the same metadata filter only', async () => {
    const page = api.listCharges.data.array();
    const first = await world.client.list(shop, '?metadata[vendedor]=17&limit=1');
    const next = `limit=1&after=${encodeURIComponent(String(first.meta?.next))}`;

    const second = await world.client.list(shop, `?metadata[vendedor]=17&${next}`);
    const other = await world.client.list(shop, `?metadata[vendedor]=18&${next}`);

    expect([first, second].flatMap(({ data }) => page.parse(data)).map(({ id }) => id)).toEqual([
      joao.id,
      maria.id,
    ]);
    expect(other.status).toBe(400);
  });
});

describe('a refused metadata filter', () => {
  test.each([
    ['is not an object', 'metadata=loja', 'metadata: '],
    ['repeats a name', 'metadata[loja]=a&metadata[loja]=b', 'metadata.loja: '],
    ['has a forbidden name', 'metadata[__proto__]=a', 'metadata[__proto__]: '],
    ['has a nested name', 'metadata[a][b]=a', 'metadata[a][b]: '],
    ['has no name', 'metadata[]=a', 'metadata[]: '],
    ['has another parameter name', 'data[loja]=a', 'data: '],
  ])('%s', async (_what, query, message) => {
    const { status, error } = await world.client.list(shop, `?${query}`);

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toContain(message);
  });
});
