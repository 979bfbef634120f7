import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { visit as open, startBrowser, type Visit } from '@plataforma/testing/browser';
import { writeCard } from './support/buyer.ts';
import { link, SLUG, VISIT, visit } from './support/visit.ts';
import { startWorld, type World } from './support/world.ts';

type Page = Visit['page'];

const WRITTEN = '12.abc.345/01de-35';
const COPIED = '\u202a12.ABC.345/01DE\u201135\u202c\u200b';
const CNPJ = '12ABC34501DE35';
const KEYBOARD = ['text', 'characters'];

let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: Visit;

beforeAll(async () => {
  world = await startWorld();
  browser = await startBrowser();
});
afterEach(() => opened.close());
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function pageAt(path: string): Promise<Page> {
  opened = await open(browser, { origin: world.url, width: 390, refusals: [402] });
  await opened.page.goto(path);
  await opened.page.waitForLoadState('load');
  return opened.page;
}

const keyboardOf = async (field: ReturnType<Page['getByLabel']>) => [
  await field.getAttribute('inputmode'),
  await field.getAttribute('autocapitalize'),
];
const paste = (page: Page, text: string) => page.keyboard.insertText(text);

const bodiesOf = (path: string) => world.gateway.requestsTo(path).map(({ body }) => JSON.parse(body));

const ways = [
  ['typed', (page: Page) => page.keyboard.type(WRITTEN)],
  ['pasted', (page: Page) => paste(page, COPIED)],
] as const;

test.each(ways)('a buyer’s CNPJ with letters, %s, reaches the API from a link', async (_way, write) => {
  world.gateway.giving(`GET /v1/payment-links/${SLUG}/page`, link);
  world.gateway.refusing(`POST /v1/payment-links/${SLUG}/checkouts`, 402, 'X');
  const page = await pageAt(`/pay/l/${SLUG}`);
  await page.getByLabel('Nome completo').fill('Loja da Maria');
  const document = page.getByLabel('CPF ou CNPJ');
  await document.focus();

  await write(page);
  expect(await keyboardOf(document)).toEqual(KEYBOARD);
  await page.getByRole('button', { name: 'Pagar com Pix' }).click();

  await eventually(() => {
    const [sent] = bodiesOf(`/v1/payment-links/${SLUG}/checkouts`).slice(-1);
    expect([WRITTEN, COPIED]).toContain(sent?.payerDocument);
  });
});

test.each(ways)('a card holder’s CNPJ with letters, %s, reaches the API', async (_way, write) => {
  const form = { ...visit, state: 'CARD_FORM', cardFormUntil: '2026-01-01T12:10:00.000Z' };
  world.gateway.giving(`GET /v1/checkouts/${VISIT}`, form);
  world.gateway.refusing(`POST /v1/checkouts/${VISIT}/card`, 402, 'CARD_DECLINED');
  const page = await pageAt(`/pay/c/${VISIT}/card`);
  await page.route('https://cards.example/**', (route) =>
    route.fulfill({ json: { id: 'token_1' }, headers: { 'access-control-allow-origin': '*' } }),
  );
  await writeCard(page, '4000 0000 0000 0010');
  const document = page.getByLabel('CPF ou CNPJ do titular');
  await document.focus();

  await write(page);
  expect(await keyboardOf(document)).toEqual(KEYBOARD);
  await page.getByRole('button', { name: /^Pagar R\$/ }).click();

  await page.getByRole('alert').waitFor();
  expect(bodiesOf(`/v1/checkouts/${VISIT}/card`).at(-1)).toMatchObject({ payerDocument: CNPJ });
});

test.each(ways)('a registration form accepts a CNPJ with letters, %s', async (_way, write) => {
  const page = await pageAt('/register');
  await page.getByLabel('CNPJ').focus();

  await write(page);

  expect(await page.getByLabel('CNPJ').inputValue()).toBe('12.ABC.345/01DE-35');
  expect(await keyboardOf(page.getByLabel('CNPJ'))).toEqual(KEYBOARD);
});
