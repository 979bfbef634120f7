import { describe, expect, test } from '@jest/globals';
import { readCode } from '@plataforma/brcode';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() =>
  startWorld({ settings: { PUBLIC_CHECKOUT_URL: 'https://pagar.loja.example' } }),
);

const created = api.createCharge.data;

describe('a new Pix charge', () => {
  test('answers 201 with every field of the contract', async () => {
    const order = newOrder({
      externalId: 'pedido-1',
      description: 'Camiseta',
      payerEmail: 'maria@example.com',
    });

    const { status, data, success } = await world.client.create(newTenant(), order);

    const charge = created.parse(data);
    expect([status, success]).toEqual([201, true]);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      txid: expect.stringMatching(/^[a-zA-Z0-9]{26,35}$/),
      paymentMethod: 'PIX',
      amount: 2500,
      feeAmount: 35,
      netAmount: 2465,
      status: 'PENDING',
      qrCode: expect.any(String),
      qrCodeBase64: expect.any(String),
      expiresAt: new Date(Date.parse(charge.createdAt) + 3_600_000).toISOString(),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      paidAt: null,
      settlesAt: null,
      environment: 'sandbox',
      externalId: 'pedido-1',
      payerName: 'Maria da Silva',
      payerDocument: '***.456.789-**',
      payerEmail: 'maria@example.com',
      description: 'Camiseta',
      endToEndId: null,
      installments: null,
      cardBrand: null,
      cardLastDigits: null,
      refundedAmount: null,
      refundedAt: null,
      refundReason: null,
      ...{ nsu: null, authorizationCode: null, acquirerId: null },
      ...{ refunds: [], disputeId: null, paymentLinkId: null, checkoutId: null },
      checkoutUrl: `https://pagar.loja.example/pay/${charge.id}`,
      metadata: {},
    });
  });

  test('has a copy-and-paste code and its image', async () => {
    const { qrCode, qrCodeBase64, txid } = await world.client.newCharge(newTenant());

    const png = Buffer.from((qrCodeBase64 ?? '').replace('data:image/png;base64,', ''), 'base64');
    expect(readCode(qrCode ?? '')).toMatchObject({
      ok: true,
      code: { url: `pix.example.com/qr/v2/${txid}` },
    });
    expect(qrCodeBase64).toMatch(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/);
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.subarray(12, 16).toString()).toBe('IHDR');
    expect(png.readUInt32BE(16)).toBe(png.readUInt32BE(20));
    expect(png.subarray(-8, -4).toString()).toBe('IEND');
  });

  test('reads the same later as at its creation', async () => {
    const tenant = newTenant();

    const charge = await world.client.newCharge(tenant);

    expect(await world.client.charge(tenant, charge.id)).toEqual(charge);
  });

  test('is registered once with the fields of API Pix', async () => {
    const description = `${'a'.repeat(139)}😀 e mais`;

    const { txid } = await world.client.newCharge(newTenant(), {
      amount: 99_999_999_999,
      payerName: 'José, D’Ávila & Filhos!',
      payerDocument: '12.ABC.345/01DE-35',
      expiresIn: 86_400,
      description,
    });

    const requests = world.provider.requestsFor(txid, 'create');
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
      {
        calendario: { expiracao: 86_400 },
        devedor: { cnpj: '12ABC34501DE35', nome: 'José DÁvila Filhos' },
        valor: { original: '999999999.99' },
        chave: 'recebedor@plataforma.test',
        solicitacaoPagador: 'a'.repeat(139),
      },
    ]);
  });

  test.each([
    { amount: 100, pixFeeBps: 50, pixFeeFixed: 0, fee: 1 },
    { amount: 149, pixFeeBps: 100, pixFeeFixed: 0, fee: 1 },
    { amount: 150, pixFeeBps: 100, pixFeeFixed: 0, fee: 2 },
    { amount: 100, pixFeeBps: 49, pixFeeFixed: 0, fee: 0 },
    { amount: 2500, pixFeeBps: 99, pixFeeFixed: 10, fee: 35 },
    { amount: 100, pixFeeBps: 0, pixFeeFixed: 250, fee: 100 },
    { amount: 99_999_999_999, pixFeeBps: 10_000, pixFeeFixed: 1, fee: 99_999_999_999 },
  ])('of $amount at $pixFeeBps bps and $pixFeeFixed costs $fee', async ({ amount, fee, ...fees }) => {
    const tenant = newTenant();
    world.gateway.describe(tenant.merchantId, fees);

    const { feeAmount, netAmount } = await world.client.newCharge(tenant, { amount });

    expect([feeAmount, netAmount]).toEqual([fee, amount - fee]);
  });

  test.each([1, 2_592_000])('expires after the requested %i seconds', async (expiresIn) => {
    const { txid, createdAt, expiresAt } = await world.client.newCharge(newTenant(), { expiresIn });

    const [request] = world.provider.requestsFor(txid, 'create');
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt)).toBe(expiresIn * 1000);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ calendario: { expiracao: expiresIn } });
  });

  test('reads its merchant from the gateway once', async () => {
    const tenant = newTenant();

    await world.client.newCharge(tenant);
    await world.client.newCharge(tenant);

    expect(world.gateway.requestedIds.filter((id) => id === tenant.merchantId)).toHaveLength(1);
  });

  test('announces nothing', async () => {
    const { id } = await world.client.newCharge(newTenant());

    expect(await world.eventsOf(id)).toEqual([]);
  });
});

describe('a repeated Pix order', () => {
  test('answers 200 with the same charge', async () => {
    const tenant = newTenant();
    const order = newOrder();
    const first = await world.client.create(tenant, order);

    const second = await world.client.create(tenant, {
      ...order,
      payerName: ' Maria da  Silva.',
      expiresIn: 60,
    });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data).toEqual(first.data);
    expect(world.provider.requestsFor(created.parse(first.data).txid, 'create')).toHaveLength(1);
  });

  test('keeps the first fee after a change of price', async () => {
    const tenant = newTenant();
    const order = newOrder();
    const first = await world.client.create(tenant, order);
    await world.database.query(
      `UPDATE merchants SET snapshot = jsonb_set(snapshot, '{pixFeeBps}', '5000') WHERE id = $1`,
      [tenant.merchantId],
    );

    const second = await world.client.create(tenant, order);

    expect(second.data).toEqual(first.data);
  });

  test.each([
    ['amount', { amount: 2501 }],
    ['name', { payerName: 'João da Silva' }],
    ['document', { payerDocument: '52513127765' }],
  ])('with another %s is an EXTERNAL_ID_CONFLICT and changes nothing', async (_what, changes) => {
    const tenant = newTenant();
    const order = newOrder();
    const first = await world.client.create(tenant, order);

    const second = await world.client.create(tenant, { ...order, ...changes });

    const { id } = created.parse(first.data);
    expect([second.status, second.error?.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
    expect(second.error?.message).toMatch(/^externalId: /);
    expect(await world.client.charge(tenant, id)).toEqual(first.data);
  });

  test('sent twenty times at once makes one charge', async () => {
    const tenant = newTenant();
    const order = newOrder();

    const answers = await Promise.all(Array.from({ length: 20 }, () => world.client.create(tenant, order)));

    const charges = answers.map(({ data }) => created.parse(data));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(charges.map((charge) => JSON.stringify(charge))).size).toBe(1);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
    expect(world.provider.book.find(charges[0]?.txid ?? '')).toMatchObject({ status: 'ATIVA' });
  });

  test('with two amounts at once makes one charge and conflicts', async () => {
    const tenant = newTenant();
    const order = newOrder();
    const amounts = Array.from({ length: 20 }, (_, i) => 1000 + (i % 2));

    const answers = await Promise.all(
      amounts.map((amount) => world.client.create(tenant, { ...order, amount })),
    );

    const first = answers.find(({ status }) => status === 201);
    const { amount } = created.parse(first?.data);
    expect(answers.map(({ status }, i) => status === 409 || amounts[i] === amount)).not.toContain(false);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    expect(await world.attemptsOf(order.externalId)).toHaveLength(1);
  });
});

test('a new charge uses the merchant’s new price at once', async () => {
  const tenant = newTenant();
  const first = await world.client.create(tenant, newOrder());
  const update = '{ "pixFeeBps": 5000, "version": 2 }';
  const dearer = 'UPDATE merchants SET version = 2, snapshot = snapshot || $2::jsonb WHERE id = $1';
  await world.database.query(dearer, [tenant.merchantId, update]);
  const second = await world.client.create(tenant, newOrder());

  expect([created.parse(first.data).feeAmount, created.parse(second.data).feeAmount]).toEqual([35, 1260]);
});
