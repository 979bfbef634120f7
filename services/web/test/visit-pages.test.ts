import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { VISIT, visit } from './support/visit.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const nothing = {
  ...{ qrCode: null, qrCodeBase64: null, expiresAt: null, paidAt: null, endToEndId: null },
  ...{ installments: null, cardBrand: null, cardLastDigits: null },
  ...{ refundedAmount: null, refundedAt: null, disputedAmount: null, disputedAt: null },
};
const byCard = (status: string) => ({
  ...nothing,
  id: VISIT,
  paymentMethod: 'CARD',
  status,
  installments: 1,
});

async function page(changes: object, query = ''): Promise<string> {
  const shown = { ...visit, ...changes };
  world.gateway.answering(`GET /v1/checkouts/${VISIT}`, () => world.gateway.given(shown));
  return (await world.call(`/pay/c/${VISIT}${query}`)).text;
}

test('a visit that has paid says nothing of an attempt whose answer was lost', async () => {
  const paid = { ...byCard('PAID'), paidAt: '2026-01-01T12:00:00.000Z' };
  const lost = '?refused=PROVIDER_UNAVAILABLE';

  const texts = [
    await page({ state: 'PAID', charge: paid }, lost),
    await page({ state: 'PROCESSING', charge: byCard('PENDING') }, lost),
  ];

  expect(texts.map((text) => text.includes('role="alert"'))).toEqual([false, false]);
  expect(texts[0]).toContain('Pagamento confirmado');
  expect(await page({}, lost)).toContain('Ainda não sabemos o resultado');
});
