import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { barriersInModes, visit as open, startBrowser, type Visit } from '@plataforma/testing/browser';
import { startWorld, type World } from './support/world.ts';

const ID = '01a20f4e-0de5-7de0-a438-00a9d18135c7';
const ACCOUNT = { id: ID, status: 'APPROVED', cardEnabled: false, companyName: 'Loja da Ana' };
const CHARGE = {
  ...{ id: ID, status: 'PENDING', amount: 2_500, netAmount: 2_400, refundedAmount: null, paidAt: null },
  ...{ paymentMethod: 'PIX', cardBrand: null, cardLastDigits: null, externalId: 'pedido-7' },
  ...{ payerName: 'Maria da Silva', paymentLinkId: null, createdAt: '2026-11-30T12:00:00.000Z' },
};
let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: Visit;
let boletos = 0;

beforeAll(async () => {
  world = await startWorld();
  const { gateway } = world;
  gateway.giving('GET /v1/account', { ...ACCOUNT, email: 'ana@loja.test', timeZone: 'America/Sao_Paulo' });
  gateway.answering('GET /v1/charges', ({ path }) => {
    const isBoleto = path.includes('paymentMethod=BOLETO');
    const total = isBoleto ? boletos : 1;
    const meta = { page: 1, limit: 20, total, pages: 1, next: null };
    return { status: 200, body: { success: true, data: isBoleto ? [] : [CHARGE], meta } };
  });
  gateway.giving('GET /v1/sandbox/clock', { now: '2026-11-30T12:00:00.000Z', aheadSeconds: 0 });
  const none = { success: true, data: [], meta: { page: 1, limit: 100, total: 0, pages: 0, next: null } };
  gateway.answering('GET /v1/api-keys', () => ({ status: 200, body: none }));
  browser = await startBrowser();
});
afterEach(() => opened.leave());
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function openAt(path: string, width = 1280) {
  opened = await open(browser, { origin: world.url, width, refusals: [404] });
  const [name = '', value = ''] = (await world.logIn()).split('; ')[0]?.split('=') ?? [];
  await opened.context.addCookies([{ name, value, url: world.url }]);
  const answer = await opened.page.goto(path);
  await opened.page.locator('#content h1').waitFor();
  return { page: opened.page, status: answer?.status() };
}

test.each(['/test/cobrancas/7', '/sandbox', '/charges/7/nothing'])(
  'an unknown address is a page in the frame with status 404: %s',
  async (path) => {
    const { page, status } = await openAt(path);
    await page.getByRole('heading', { level: 1, name: 'Página não encontrada' }).waitFor();

    expect([status, await page.locator('aside nav a').count()]).toEqual([404, expect.any(Number)]);
    await page.locator('aside').getByRole('link', { name: 'Cobranças' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cobranças' }).waitFor();
  },
);

test('a row’s link and the tab name the object', async () => {
  const { page, status } = await openAt('/test/charges');
  const list = await page.title();
  const row = page.getByRole('link', { name: 'R$ 25,00, Maria da Silva, pedido-7', exact: true });
  await row.waitFor();
  const barriers = await barriersInModes(page);
  world.gateway.giving(`GET /v1/charges/${ID}`, { ...CHARGE, qrCode: null, metadata: {}, refunds: [] });
  // The fake gateway has no records of the charge, so the test leaves the requests for them unanswered.
  await page.route(/\/api\/v1\/(?!charges\/[^/]+$)/, () => undefined);
  await row.click();
  await page.getByRole('heading', { level: 1, name: 'R$ 25,00' }).waitFor();

  expect([status, list, barriers]).toEqual([200, 'Cobranças · modo de teste', []]);
  expect((await page.title()).replace('\u00a0', ' ')).toBe('Cobrança R$ 25,00 · modo de teste');
});

test('the filter offers boletos only where there are any', async () => {
  const options = async (count: number) => {
    boletos = count;
    const { page } = await openAt('/charges');
    await page.getByRole('link', { name: /Maria da Silva/ }).waitFor();
    await page.waitForLoadState('networkidle');
    return page.locator('select[name=method] option').allTextContents();
  };

  const without = await options(0);
  await opened.leave();

  expect([without, await options(3)]).toEqual([
    ['Todos', 'Pix', 'Cartão'],
    ['Todos', 'Pix', 'Cartão', 'Boleto'],
  ]);
});

test('the form of a link shows cards as unavailable in production', async () => {
  const { page } = await openAt('/payment-links/new');
  const cards = page.getByRole('checkbox', { name: 'Cartão' });
  await page.getByText('Indisponível: a sua conta ainda não aceita cartão em produção.').waitFor();

  expect([await cards.isDisabled(), await cards.isChecked(), await barriersInModes(page)]).toEqual([
    true,
    false,
    [],
  ]);
});

test('no column of a list becomes too narrow to read', async () => {
  const { page } = await openAt('/test/charges', 800);
  const cell = page.locator('tbody td', { hasText: 'Maria da Silva' });

  expect((await cell.boundingBox())?.width).toBeGreaterThan(100);
});

test('a row of the statement names the amount of a partial refund', async () => {
  const [part, whole] = [ID, '01a20f4e-0de5-7de0-a438-00a9d18135c8'];
  const refund = { type: 'REFUND', description: 'Refund', withdrawalId: null, paymentMethod: 'PIX' };
  const row = { ...refund, createdAt: '2026-11-30T12:00:00.000Z', balanceAfter: 0, externalId: null };
  const rows = [
    { ...row, id: 'one', chargeId: part, amount: -1_250 },
    { ...row, id: 'two', chargeId: whole, amount: -2_500 },
  ];
  const meta = { page: 1, limit: 20, total: 2, pages: 1, next: null };
  world.gateway.answering('GET /v1/transactions', () => {
    return { status: 200, body: { success: true, data: [...rows], meta } };
  });
  const refunded = { ...CHARGE, status: 'REFUNDED', paidAt: CHARGE.createdAt };
  world.gateway.giving(`GET /v1/charges/${part}`, { ...refunded, refundedAmount: 1_250 });
  world.gateway.giving(`GET /v1/charges/${whole}`, { ...refunded, refundedAmount: 2_500 });
  const { page } = await openAt('/test/statement');

  const links = page.locator('tbody td a');
  await links.nth(1).waitFor();
  expect((await links.allTextContents()).map((text) => text.replace('\u00a0', ' '))).toEqual([
    'Devolvida em parte · R$ 12,50',
    'Devolução',
  ]);

  const readAgain: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/charges/')) readAgain.push(request.url());
  });
  rows.push({ ...row, id: 'three', chargeId: whole, amount: -2_500 });
  await page.getByLabel('Período').selectOption({ label: 'Este mês' });
  await links.nth(2).waitFor();
  expect(readAgain).toEqual([]);
});
