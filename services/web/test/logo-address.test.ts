import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { charge, ID } from './support/charge.ts';
import { link, SLUG, VISIT, visit } from './support/visit.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const image = randomBytes(64 * 1024);
const logo = `data:image/webp;base64,${image.toString('base64')}`;
const show = (route: string, data: object) => world.gateway.giving(route, data);
const logoIn = (text: string) => /<img class="logo" src="([^"]+)"/.exec(text)?.[1] ?? '';

test('the largest logo is a separate file of each page', async () => {
  const { qrCode, qrCodeBase64 } = charge;
  const code = { id: VISIT, paymentMethod: 'PIX', status: 'PENDING', qrCode, qrCodeBase64, expiresAt: null };
  const none = {
    ...{ paidAt: null, endToEndId: null, installments: null, cardBrand: null, cardLastDigits: null },
    ...{ refundedAmount: null, refundedAt: null, disputedAmount: null, disputedAt: null },
  };
  show(`GET /v1/payment-links/${SLUG}/page`, { ...link, logo });
  show(`GET /v1/checkouts/${VISIT}`, { ...visit, logo, state: 'PIX', charge: { ...code, ...none } });
  show(`GET /v1/charges/${ID}/checkout`, { ...charge, logo });

  for (const path of [`/pay/l/${SLUG}`, `/pay/c/${VISIT}`, `/pay/${ID}`]) {
    const { text } = await world.call(path);
    const src = /<script type="module" src="([^"]+)"/.exec(text)?.[1];
    const script = src === undefined ? '' : (await world.call(src)).text;
    expect(gzipSync(text).length + gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(25_000);
    const answer = await fetch(world.url + logoIn(text));
    expect(Buffer.from(await answer.arrayBuffer()).equals(image)).toBe(true);
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      'image/webp',
      'public, max-age=31536000, immutable',
    ]);
  }
  for (const path of [`/pay/c/${VISIT}/state`, `/pay/${ID}/state`]) {
    const { text, json } = await world.call(path);
    expect(text.length).toBeLessThan(5_000);
    expect(json.data.logo).toMatch(/^\/pay\/.*\/logo\/[\w-]{22}$/);
  }
});

test('link and visit share one logo address for each image', async () => {
  show(`GET /v1/payment-links/${SLUG}/page`, { ...link, logo });
  show(`GET /v1/checkouts/${VISIT}`, { ...visit, logo });
  const before = logoIn((await world.call(`/pay/l/${SLUG}`)).text);
  const ofVisit = logoIn((await world.call(`/pay/c/${VISIT}`)).text);
  show(`GET /v1/payment-links/${SLUG}/page`, { ...link, logo: 'data:image/png;base64,iVBORw0KGgo=' });

  const after = logoIn((await world.call(`/pay/l/${SLUG}`)).text);

  expect(ofVisit).toBe(before);
  expect(after).not.toBe(before);
  expect([(await world.call(before)).status, (await world.call(after)).status]).toEqual([404, 200]);
});

test('a chat preview describes a link and counts no visit', async () => {
  const name = 'Loja "da" Ana & <b>';
  show(`GET /v1/payment-links/${SLUG}/page`, { ...link, logo, merchantName: name });
  const path = `/v1/payment-links/${SLUG}/page`;
  const before = world.gateway.requestsTo(path).length;

  const { text } = await world.call(`/pay/l/${SLUG}`, { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } });
  await world.call(`/pay/l/${SLUG}`, { method: 'HEAD' });
  await world.call(`/pay/l/${SLUG}`, { headers: { 'user-agent': 'TelegramBot (like TwitterBot)' } });
  await world.call(logoIn(text));
  await world.call(`/pay/l/${SLUG}`, {
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android; CUBOT NOTE)' },
  });

  const requests = world.gateway.requestsTo(path).slice(before);
  expect(requests.map((each) => each.path.includes('again=true'))).toEqual([true, true, true, true, false]);
  expect(text).toContain('<meta property="og:site_name" content="Loja &quot;da&quot; Ana &amp; &lt;b&gt;">');
  expect(text).toMatch(/<meta property="og:title" content="Pagar [^"]+: R\$\u00a025,00">/);
  expect(text).toContain(
    '<meta property="og:description" content="Aula">\n<meta name="description" content="Aula">',
  );
  expect(text).toContain(`<link rel="icon" href="${logoIn(text)}">`);
});
