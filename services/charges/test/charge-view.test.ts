import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const created = api.createCharge.data;
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
