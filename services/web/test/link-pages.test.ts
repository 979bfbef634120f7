import { beforeEach, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { charge } from './support/charge.ts';
import { VISIT as ID, link, SLUG, unpaid, visit } from './support/visit.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const FORM = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

const PAGE = `GET /v1/payment-links/${SLUG}/page`;
const BEGIN = `POST /v1/payment-links/${SLUG}/checkouts`;
const READ = `GET /v1/checkouts/${ID}`;
const CARD_FORM = `POST /v1/checkouts/${ID}/card-form`;
const WHO = 'payerName=Ana&payerDocument=12345678909';
/** A visit that has reserved a use of the link for a card payment. */
const RESERVED = { cardFormUntil: '2026-01-01T12:10:00.000Z' };

const post = (path: string, body = '') => world.call(path, { method: 'POST', headers: FORM, body });

beforeEach(() => {
  world.gateway.giving(PAGE, link);
  world.gateway.giving(BEGIN, visit, 201);
  world.gateway.giving(READ, visit);
  world.gateway.giving(`POST /v1/checkouts/${ID}/pix`, visit);
});

test('a link page has a form that posts only here', async () => {
  const { status, text, headers } = await world.call(`/pay/l/${SLUG}`);

  expect(status).toBe(200);
  expect(text).toContain(`<form class="who" method="post" action="/pay/l/${SLUG}?lang=pt-BR">`);
  expect(text).not.toContain('<script');
  expect(headers.get('content-security-policy')).toContain("form-action 'self'; ");
});

test('a submitted payer form redirects to the code at once', async () => {
  const sent = await post(`/pay/l/${SLUG}?lang=en`, `visit=${ID}&${WHO}&method=PIX`);

  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pay/c/${ID}?lang=en`]);
  expect(sent.headers.get('cache-control')).toBe('no-store');
  const [request] = world.gateway.requestsTo(`/v1/payment-links/${SLUG}/checkouts`);
  expect(JSON.parse(request?.body ?? '')).toEqual({ id: ID, payerName: 'Ana', payerDocument: '12345678909' });
});

test('a corrected form that is sent again begins another visit', async () => {
  world.gateway.answering(BEGIN, ({ body }) =>
    JSON.parse(body).id === ID
      ? world.gateway.refusal(409, 'IDEMPOTENCY_CONFLICT')
      : { ...world.gateway.given(visit), status: 201 },
  );

  const sent = await post(`/pay/l/${SLUG}`, `visit=${ID}&payerName=Bia&payerDocument=52998224725&method=PIX`);

  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pay/c/${ID}?lang=pt-BR`]);
});

test('a refused form keeps its status and its fields', async () => {
  world.gateway.refusing(BEGIN, 429, 'RATE_LIMITED');

  const { status, text } = await post(`/pay/l/${SLUG}`, WHO);

  expect([status, text]).toEqual([429, expect.stringContaining('value="Ana"')]);
  expect(text).toContain('Muitas tentativas em pouco tempo.');
});

test('a buyer is one visit despite refusals and language changes', async () => {
  world.gateway.refusing(BEGIN, 400, 'VALIDATION_ERROR');
  const before = world.gateway.requestsTo(`/v1/payment-links/${SLUG}/page`).length;

  await world.call(`/pay/l/${SLUG}`, { headers: { 'sec-fetch-site': 'cross-site' } });
  await world.call(`/pay/l/${SLUG}`);
  await post(`/pay/l/${SLUG}`, 'payerName=Ana&payerDocument=1');
  await world.call(`/pay/l/${SLUG}?lang=en`, { headers: { 'sec-fetch-site': 'same-origin' } });

  const read = world.gateway.requestsTo(`/v1/payment-links/${SLUG}/page`).slice(before);
  expect(read.map(({ path }) => path.split('?')[1])).toEqual([
    undefined,
    undefined,
    'again=true',
    'again=true',
  ]);
});

test('the previous charges release is read without the again parameter', async () => {
  world.gateway.answering(PAGE, ({ path }) =>
    path.includes('?') ? world.gateway.refusal(400, 'VALIDATION_ERROR') : world.gateway.given(link),
  );

  const { status, text } = await world.call(`/pay/l/${SLUG}?lang=en`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });

  expect([status, text]).toEqual([200, expect.stringContaining('class="who"')]);
});

test('a link with too many declines shows no card form', async () => {
  world.gateway.refusing(CARD_FORM, 409, 'CARDS_PAUSED');

  const sent = await post(`/pay/c/${ID}/card-form`);
  const { text } = await world.call(sent.headers.get('location') ?? '');

  expect(text).toContain('Muitos cartões foram recusados neste link');
  expect(text).not.toContain('id="card-number"');
});

test('an API refusal is explained on the visit’s page', async () => {
  world.gateway.refusing(CARD_FORM, 409, 'NO_USES_LEFT');

  const sent = await post(`/pay/c/${ID}/card-form`);
  const { text } = await world.call(sent.headers.get('location') ?? '');

  expect(sent.status).toBe(303);
  expect(text).toContain('Outra pessoa pagou este link antes.');
});

test('the card page requires a reserved use and one tokenizer', async () => {
  const before = await world.call(`/pay/c/${ID}/card`);
  world.gateway.giving(READ, { ...visit, ...RESERVED });
  const { text, headers } = await world.call(`/pay/c/${ID}/card`);

  expect([before.status, before.headers.get('location')]).toEqual([303, `/pay/c/${ID}?lang=pt-BR`]);
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://cards.example; ");
  expect(text).toMatch(/<script type="module" src="\/pay\/assets\/[^"]+" integrity="sha384-[^"]+">/);
  expect(text).not.toMatch(/<input[^>]* name="/);
  const script = await world.call(/<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? '');
  expect(script.status).toBe(200);
});

test.each(['OPEN', 'USED_UP'])('a link that is %s leads only its browser back', async (state) => {
  world.gateway.giving(PAGE, { ...link, state, status: state, isJoinable: true });

  const begun = await post(`/pay/l/${SLUG}`, WHO);
  const cookie = begun.headers.get('set-cookie') ?? '';
  const [back, stranger, forged] = await Promise.all(
    [cookie.split(';')[0] ?? '', '', `visits=${SLUG}.//evil.example`].map((sent) =>
      world.call(`/pay/l/${SLUG}`, { headers: { cookie: sent } }),
    ),
  );

  expect(cookie).toMatch(new RegExp(`^visits=${SLUG}\\.${ID}; .*Path=/; .*HttpOnly; .*SameSite=Lax`));
  expect(back?.text).toContain(`href="/pay/c/${ID}?lang=pt-BR"`);
  for (const other of [stranger, forged]) {
    expect(other?.text).not.toContain('Foi você que começou a pagar?');
    expect(other?.text).not.toContain(ID);
  }
});

test('the visit cookie stores eight links and accepts 0.6.0 cookies', async () => {
  world.gateway.giving(PAGE, { ...link, isJoinable: true });
  const others = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(16)).map((at) => `${at}.${ID}`);

  const headers = { ...FORM, cookie: `visits=${others.join('~')}` };
  const begun = await world.call(`/pay/l/${SLUG}`, { method: 'POST', headers, body: WHO });
  const older = await world.call(`/pay/l/${SLUG}`, { headers: { cookie: `visit=${ID}` } });

  const visits = [`${SLUG}.${ID}`, ...others.slice(0, 7)].join('~');
  expect(begun.headers.get('set-cookie')).toMatch(new RegExp(`^visits=${visits};`));
  expect(older.text).toContain(`href="/pay/c/${ID}?lang=pt-BR"`);
});

test('the merchant’s token leads another device to the visit', async () => {
  const token = '5d2c7a90-3e41-4b8f-9c66-1f0e8d7b2a35';
  world.gateway.giving(PAGE, { ...link, checkoutId: ID });

  const opened = await world.call(`/pay/l/${SLUG}?t=${token}&lang=en`);
  const set = opened.headers.get('set-cookie') ?? '';
  const cookie = set.split(';')[0] ?? '';
  const { text } = await world.call(opened.headers.get('location') ?? '', { headers: { cookie } });
  await world.call(`/pay/l/${SLUG}`, { method: 'POST', headers: { ...FORM, cookie }, body: WHO });

  expect([opened.status, opened.headers.get('location')]).toEqual([303, `/pay/l/${SLUG}?lang=en`]);
  expect(set).toMatch(new RegExp(`^buyers=${SLUG}\\.${token}; .*Path=/; .*HttpOnly; .*SameSite=Lax`));
  expect(opened.headers.get('referrer-policy')).toBe('same-origin');
  expect(opened.headers.get('cache-control')).toBe('no-store');
  expect(text).toContain(`href="/pay/c/${ID}?lang=en"`);
  expect(text).not.toContain(token);
  const request = world.gateway.requestsTo(`/v1/payment-links/${SLUG}/page`).at(-1);
  expect(request?.path).toContain(`buyerToken=${token}`);
  const begun = world.gateway.requestsTo(`/v1/payment-links/${SLUG}/checkouts`).at(-1);
  expect(JSON.parse(begun?.body ?? '')).toMatchObject({ buyerToken: token });
});

test('a visit to a used-up link offers no payment', async () => {
  world.gateway.giving(READ, { ...visit, ...RESERVED, linkStatus: 'USED_UP' });

  const [page, card] = [await world.call(`/pay/c/${ID}`), await world.call(`/pay/c/${ID}/card`)];

  expect(page.text).toContain('Este link já foi pago');
  expect(page.text).not.toContain('Pagar com');
  expect([card.status, card.headers.get('cache-control')]).toEqual([303, 'no-store']);
});

test('the card page redirects while the first card is undecided', async () => {
  world.gateway.giving(READ, { ...visit, ...RESERVED, state: 'PROCESSING' });

  expect((await world.call(`/pay/c/${ID}/card`)).status).toBe(303);
});

test('a pending code is shown without JavaScript and refreshes itself', async () => {
  const { qrCode, qrCodeBase64 } = charge;
  const waiting = { ...unpaid, id: ID, paymentMethod: 'PIX', status: 'PENDING', qrCode, qrCodeBase64 };
  world.gateway.giving(READ, { ...visit, state: 'PIX', charge: waiting });

  const { text } = await world.call(`/pay/c/${ID}`);

  expect(text).toContain(`value="${qrCode}"`);
  expect(text).toContain('<noscript><meta http-equiv="refresh" content="15; url=?lang=pt-BR"></noscript>');
});

test.each([
  [`/pay/l/${SLUG}`, FORM['content-type'], 'cross-site'],
  [`/pay/c/${ID}/pix`, FORM['content-type'], 'same-site'],
  [`/pay/c/${ID}/card`, FORM['content-type'], 'same-origin'],
  [`/pay/c/${ID}/card`, 'application/json', 'same-origin'],
])('a post to %s as %s from %s is refused', async (path, type, site) => {
  const headers = { 'sec-fetch-site': site, 'content-type': type };
  const before = world.gateway.all.length;

  const { status } = await world.call(path, { method: 'POST', headers, body: '{}' });

  expect([status, world.gateway.all.length]).toEqual([403, before]);
});

test.each([
  [`/pay/l/short`, 404],
  ['/pay/c/none', 404],
  ['/pay/c/none/card', 404],
])('%s is answered with a not-found page', async (path, status) => {
  const answered = await world.call(path);

  expect([answered.status, answered.text]).toEqual([status, expect.stringContaining('Não encontramos')]);
});
