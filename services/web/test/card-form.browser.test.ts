import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { barriersInModes, visit as open, startBrowser } from '@plataforma/testing/browser';
import { writeCard, writeCardThenReadEnglish } from './support/buyer.ts';
import { charge, ID } from './support/charge.ts';
import { link, SLUG, VISIT, visit } from './support/visit.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;

beforeAll(async () => {
  world = await startWorld();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const FORM = { ...visit, state: 'CARD_FORM', cardFormUntil: '2026-01-01T12:10:00.000Z' };
const show = (data: object) => world.gateway.giving(`GET /v1/checkouts/${VISIT}`, data);
const visitor = () => open(browser, { origin: world.url, refusals: [402], width: 390 });

test('the card form keeps its text across languages until payment', async () => {
  show(FORM);
  const visit = await visitor();
  const { page } = visit;
  await page.goto(`/pay/c/${VISIT}/card`);
  await page.waitForLoadState('load');
  const written = await writeCardThenReadEnglish(page);

  show({ ...FORM, state: 'PROCESSING' });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

  await page.getByText('Checking the payment with the bank').waitFor();
  expect(written).toEqual(['4000 0000 0000 0010', 'en']);
  await visit.leave();
});

test('the card form ends after the last decline, with reason', async () => {
  show(FORM);
  world.gateway.answering(`POST /v1/checkouts/${VISIT}/card`, () => {
    show({ ...FORM, cardTriesLeft: 0, declineReason: 'insufficient_funds' });
    return { status: 402, body: { error: { code: 'CARD_DECLINED', reason: 'insufficient_funds' } } };
  });
  const visit = await visitor();
  const { page } = visit;
  await page.route('https://cards.example/**', (route) =>
    route.fulfill({ json: { id: 'token_1' }, headers: { 'access-control-allow-origin': '*' } }),
  );
  await page.goto(`/pay/c/${VISIT}/card`);
  await page.waitForLoadState('load');
  await writeCard(page, '4000 0000 0000 0028');

  await page.getByRole('button', { name: /^Pagar R\$/ }).click();

  await page.getByRole('alert').getByText('Muitos cartões foram recusados').waitFor();
  expect(await page.locator('#card-number').count()).toBe(0);
  expect(await barriersInModes(page)).toEqual([]);
  await visit.close();
});

/** Code that draws a white rectangle on a transparent background. */
const WHITE = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 120, height: 40 });
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(20, 10, 80, 20);
  return canvas.toDataURL();
})()`;

const darkest = (shot: string) => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${shot}';
  await image.decode();
  const context = document.createElement('canvas').getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(8, 4, 120, 36);
  return data.reduce((least, part, at) => (at % 4 === 0 ? Math.min(least, part) : least), 255);
})()`;

test('a white logo gets an outline on a white page', async () => {
  const visit = await visitor();
  const { page } = visit;
  const image = String(await page.evaluate(WHITE));
  const route = `GET /v1/payment-links/${SLUG}/page`;
  world.gateway.giving(route, { ...link, logo: image });

  await page.goto(`/pay/l/${SLUG}`);

  const shot = (await page.locator('.plate').screenshot()).toString('base64');
  expect(await page.evaluate(darkest(shot))).toBeLessThan(150);
  expect(await barriersInModes(page)).toEqual([]);
  await visit.leave();
});

test('an error of the card form clears while its field is corrected', async () => {
  show(FORM);
  const visit = await visitor();
  const { page } = visit;
  await page.goto(`/pay/c/${VISIT}/card`);
  await page.waitForLoadState('load');
  await writeCard(page, '4000 0000 0000 0011');
  await page.getByLabel('Código (CVV)').fill('1');
  await page.getByRole('button', { name: /^Pagar R\$/ }).click();
  await page.getByText('Confira o número do cartão.').waitFor();

  await page.getByLabel('Número do cartão').press('Backspace');

  await page.getByText('Confira o número do cartão.').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Número do cartão').getAttribute('aria-invalid')).toBeNull();
  await page.getByText('Confira o código de segurança.').waitFor();
  await page.getByLabel('CPF ou CNPJ do titular (opcional)').waitFor();
  await visit.leave();
});

test('the tab’s title follows the payment', async () => {
  const shown = { ...charge, serverTime: new Date().toISOString(), expiresAt: null };
  world.gateway.giving(`GET /v1/charges/${ID}/checkout`, shown);
  const visit = await visitor();
  const { page } = visit;
  await page.goto(`/pay/${ID}`);
  await page.waitForLoadState('load');
  const before = await page.title();

  const { qrCode: _code, qrCodeBase64: _image, ...paid } = { ...shown, status: 'PAID' };
  world.gateway.giving(`GET /v1/charges/${ID}/checkout`, paid);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

  await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
  expect([before, await page.title()]).toEqual([
    'Aguardando pagamento · Loja da Ana · R$\u00a01.234,56',
    'Pago · Loja da Ana · R$\u00a01.234,56',
  ]);
  await visit.leave();
});
