import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { accentStyle } from '../src/checkout/accent.ts';
import { ID, withoutCode } from './support/charge.ts';
import { link, SLUG, unpaid, VISIT, visit } from './support/visit.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const byCard = (status: string) => ({
  ...unpaid,
  id: VISIT,
  paymentMethod: 'CARD',
  status,
  installments: 1,
});

async function page(changes: object, query = ''): Promise<string> {
  const shown = { ...visit, ...changes };
  world.gateway.giving(`GET /v1/checkouts/${VISIT}`, shown);
  return (await world.call(`/pay/c/${VISIT}${query}`)).text;
}

test('a paid visit does not mention a lost answer', async () => {
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

test('a late card decline is shown on the visit', async () => {
  const declined = { charge: byCard('DECLINED'), declineReason: 'insufficient_funds' };

  const late = await page(declined, '?refused=PROVIDER_UNAVAILABLE');
  const last = await page({ ...declined, cardTriesLeft: 0 }, '?lang=en');

  expect(late).toMatch(/role="alert">Sem limite ou saldo para este valor/);
  expect(late).not.toContain('Ainda não sabemos');
  expect(last).toMatch(/role="alert">Too many cards were declined/);
});

test.each([
  ['pt-BR', 'RETURNING', /O Pix de R\$\u00a025,00 veio tarde.*volta para a conta de quem pagou/],
  ['en', 'RETURNED', /The Pix of R\$\u00a025.00 was returned to the payer’s account/],
  ['pt-BR', 'RETURN_REFUSED', /não aceitou o Pix de R\$\u00a025,00 de volta/],
])('an unexpected payment appears on visit and charge: %s, %s', async (lang, status, says) => {
  const at = '2026-01-01T12:00:00.000Z';
  const unexpectedPayments = [
    { amount: 2_500, status, paidAt: at, returnedAt: status === 'RETURNED' ? at : null },
  ];
  world.gateway.giving(
    `GET /v1/charges/${ID}/checkout`,
    withoutCode({ status: 'EXPIRED', unexpectedPayments }),
  );

  expect(await page({ unexpectedPayments }, `?lang=${lang}`)).toMatch(says);
  expect((await world.call(`/pay/${ID}?lang=${lang}`)).text).toMatch(says);
});

test('a visit without the new fields is still shown', async () => {
  const { declineReason: _reason, unexpectedPayments: _payments, ...before } = visit;
  world.gateway.giving(`GET /v1/checkouts/${VISIT}`, before);

  const { json } = await world.call(`/pay/c/${VISIT}/state`);

  expect(json.data).toMatchObject({ declineReason: null, unexpectedPayments: [] });
  expect((await world.call(`/pay/c/${VISIT}`)).text).toContain('Como você quer pagar?');
});

test('an expired code has an icon and a live region', async () => {
  const text = await page({ state: 'CODE_ENDED', charge: { ...byCard('EXPIRED'), paymentMethod: 'PIX' } });

  expect(text).toMatch(/<svg class="sign".*<div role="status"><h2>O código expirou<\/h2>/);
});

test('a name that is too long gets its own message', async () => {
  world.gateway.giving(`GET /v1/payment-links/${SLUG}/page`, link);
  world.gateway.answering(`POST /v1/payment-links/${SLUG}/checkouts`, () => ({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', message: 'payerName: too long' } },
  }));
  const send = async (payerName: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const body = String(new URLSearchParams({ payerName, payerDocument: '12345678909' }));
    return (await world.call(`/pay/l/${SLUG}`, { method: 'POST', headers, body })).text;
  };

  expect(await send('a'.repeat(300))).toContain('O nome é longo demais');
  expect(await send('-')).toContain('Escreva seu nome completo.');
});

test.each([
  ['#ffffff', 'light', '#161a22'],
  ['#14181f', 'dark', '#eceff4'],
])('a brand of %s gets contrast on the %s page', (colour, scheme, instead) => {
  expect(accentStyle(colour)).toContain(`@media (prefers-color-scheme:${scheme}){:root{--brand:${instead};`);
  expect(accentStyle('#0f766e')).not.toContain('@media');
});
