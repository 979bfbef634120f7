import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { textOn } from '@plataforma/kernel/colours';
import { worldOfFile } from '@plataforma/testing/world';
import { charge, ID, withoutCode } from './support/charge.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() =>
  startWorld({
    BRAND_NAME: 'Pagamentos do Sul',
    PRIVACY_URL: 'https://sul.example/privacidade',
    TRUSTED_PROXIES: '127.0.0.1',
  }),
);

const show = (data: unknown) => world.gateway.giving(`GET /v1/charges/${ID}/checkout`, data);
const open = (headers: Record<string, string> = {}, query = '') =>
  world.call(`/pay/${ID}${query}`, { headers: { 'accept-language': 'pt-BR,pt;q=0.9', ...headers } });

test('a buyer without JavaScript sees merchant, amount, QR and code', async () => {
  show(charge);

  const { status, text, headers } = await open();

  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(text).toMatch(/<html lang="pt-BR">/);
  expect(text).toContain('<title>Aguardando pagamento · Loja da Ana · R$\u00a01.234,56</title>');
  expect(text).toContain('Camiseta');
  expect(text).toContain(`value="${charge.qrCode}"`);
  expect(text).toMatch(/<img src="data:image\/png;base64,[^"]+" width="260" height="260"/);
  expect(text).toContain('<noscript><meta http-equiv="refresh" content="15; url=?lang=pt-BR"></noscript>');
  expect(text).toContain('Pagamentos do Sul');
});

test('the page names seller, processor and privacy notice', async () => {
  show(charge);
  const { text } = await open();
  const { merchantCnpj: _cnpj, merchantPhone: _phone, installments: _count, ...ofEarlierRelease } = charge;
  show(ofEarlierRelease);
  const earlier = await open({ 'accept-language': 'en' });

  expect(text).toMatch(/Loja da Ana · CNPJ 34\.665\.388\/0001-61/);
  expect(text).toContain('Contato: <a href="tel:+5511987654321">(11) 98765-4321</a>');
  expect(text).toContain('Pagamento processado por Pagamentos do Sul');
  expect(text).toMatch(/<a href="https:\/\/sul\.example\/privacidade"[^>]*>Privacidade</);
  expect([earlier.status, earlier.text.includes('CNPJ')]).toEqual([200, false]);
});

test('a chat’s preview names no state, unlike the tab', async () => {
  show(withoutCode({ status: 'EXPIRED' }));

  const { text } = await open();

  expect(text).toContain('<title>Expirado · Loja da Ana · R$\u00a01.234,56</title>');
  expect(text).toContain('property="og:title" content="Pagar Loja da Ana: R$\u00a01.234,56"');
});

test('a receipt names the card and its installments', async () => {
  const card = { cardBrand: 'visa', cardLastDigits: '0010', paidAt: '2026-01-01T12:30:00.000Z' };
  show(withoutCode({ status: 'PAID', paymentMethod: 'CARD', amount: 4_990, installments: 3, ...card }));
  const inThree = await open();
  show(withoutCode({ status: 'PAID', paymentMethod: 'CARD', installments: 1, ...card }));
  const inFull = await open();

  expect(inThree.text).toMatch(/<dt>Cartão<\/dt><dd>Visa final 0010<\/dd>/);
  expect(inThree.text).toMatch(
    /<dt>Parcelas<\/dt><dd>3x sem juros: a primeira de R\$\s16,64, as outras de R\$\s16,63/,
  );
  expect(inFull.text).not.toContain('Parcelas');
});

test('a merchant’s logo replaces its initial on page and receipt', async () => {
  const logo = 'data:image/png;base64,iVBORw0KGgo=';
  const { logo: _none, unexpectedPayments: _payments, ...before } = charge;
  const texts = [];
  for (const shown of [{ ...charge, logo }, withoutCode({ status: 'PAID', logo }), before]) {
    show(shown);
    texts.push((await open()).text);
  }

  const isShown = (text: string) => /<img class="logo" src="\/pay\/[^"]+\/logo\/[\w-]{22}" alt\/>/.test(text);
  expect(texts.map(isShown)).toEqual([true, true, false]);
  expect(texts.map((text) => text.includes('class="mark"'))).toEqual([false, false, true]);
});

test('checkout page and script weigh at most 25 kB', async () => {
  show(charge);
  const { text } = await open();
  const src = /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? '';
  const script = await world.call(src);

  const bytes = gzipSync(script.text, { level: 9 }).length;
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect(bytes).toBeLessThanOrEqual(15_000);
  expect(gzipSync(text).length + bytes).toBeLessThanOrEqual(25_000);
});

test('the policy allows only this style and the pinned script', async () => {
  show(charge);

  const { text, headers } = await open();

  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self'; style-src 'sha256-${hash}'; img-src 'self' data:; ` +
      "connect-src 'self'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'; report-uri /api/policy-reports",
  );
  expect(text).toMatch(/<script type="module" src="\/pay\/assets\/[^"]+" integrity="sha384-[^"]+">/);
  expect(text).not.toMatch(/ style="/);
});

test('a merchant’s name never runs as a script', async () => {
  const name = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
  show({ ...charge, merchantName: name, description: name, checkoutColor: 'red}body{display:none' });

  const { text } = await open();

  expect(text.match(/<script/g)).toHaveLength(2);
  expect(text).not.toContain('<img src=x');
  expect(/<style>([\s\S]*?)<\/style>/.exec(text)?.[1]).not.toContain('red}');
});

test.each([
  ['pt-BR,pt;q=0.9,en;q=0.8', 'Aguardando o pagamento'],
  ['en-US,en;q=0.9', 'Waiting for the payment'],
  ['de-DE', 'Aguardando o pagamento'],
])('a browser that asks for %s reads “%s”', async (language, words) => {
  show(charge);

  expect((await open({ 'accept-language': language })).text).toContain(words);
});

test('the language switch in the footer overrides the browser', async () => {
  show(charge);

  expect((await open({}, '?lang=en')).text).toMatch(/<html lang="en">[\s\S]*Waiting for the payment/);
});

test('only a sandbox charge shows the test mode', async () => {
  show({ ...charge, environment: 'sandbox' });
  expect((await open()).text).toContain('Modo de teste');
  show(charge);
  expect((await open()).text).not.toContain('Modo de teste</strong>');
});

const AT = '2026-01-01T12:30:00.000Z';
test.each([
  [
    'paid',
    { status: 'PAID', paidAt: AT, endToEndId: 'E123' },
    ['Pagamento confirmado', 'E123', '1 de jan. de 2026'],
  ],
  ['expired', { status: 'EXPIRED' }, ['O código expirou']],
  ['cancelled', { status: 'CANCELLED' }, ['Cobrança cancelada']],
  [
    'refunded',
    { status: 'REFUNDED', paidAt: AT, refundedAmount: 123_456, refundedAt: AT },
    ['Pagamento devolvido', 'Devolvido em'],
  ],
  [
    'refunded in part',
    { status: 'REFUNDED', paidAt: AT, refundedAmount: 100, refundedAt: AT },
    ['Devolvido em parte · R$\u00a01,00', 'R$\u00a01,00'],
  ],
  [
    'disputed',
    { status: 'DISPUTED', paidAt: AT, disputedAmount: 5_000, disputedAt: AT },
    ['Pagamento contestado', 'R$\u00a050,00'],
  ],
])('a charge that is %s shows its state without code', async (_name, changes, words) => {
  show(withoutCode(changes));

  const { text } = await open();

  for (const each of words) expect(text).toContain(each);
  expect(text).not.toMatch(/<img|http-equiv="refresh"/);
});

test('a missing charge gives 404, an unavailable API 503', async () => {
  const notThere = () => world.gateway.refusal(404, 'NOT_FOUND');
  world.gateway.answering(`GET /v1/charges/${ID}/checkout`, notThere);
  const missing = await open();
  const noId = await world.call('/pay/wp-admin', { headers: { 'accept-language': 'en' } });
  world.gateway.refusing(`GET /v1/charges/${ID}/checkout`, 503, 'SERVICE_UNAVAILABLE');
  const away = await open();

  expect([missing.status, noId.status, away.status]).toEqual([404, 404, 503]);
  expect(missing.text).toContain('Não encontramos esta cobrança');
  expect(noId.text).toContain('We can’t find this charge');
  expect([away.text, away.headers.get('retry-after')]).toEqual([
    expect.stringContaining('Tente de novo'),
    '5',
  ]);
});

test('the gateway gets the buyer’s own address', async () => {
  show(charge);

  await open({ 'x-forwarded-for': '203.0.113.7' });

  const sent = world.gateway.requestsTo(`/v1/charges/${ID}/checkout`).at(-1);
  expect(sent?.headers['x-forwarded-for']).toBe('203.0.113.7');
});

test('text is legible on every background colour', () => {
  const channels = [0, 51, 102, 153, 204, 255].map((part) => part.toString(16).padStart(2, '0'));
  const colours = channels.flatMap((red) =>
    channels.flatMap((green) => channels.map((blue) => `#${red}${green}${blue}`)),
  );

  for (const colour of colours)
    expect([colour, contrast(colour, textOn(colour)) >= 4.5]).toEqual([colour, true]);
});

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
