import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, visit as open, startBrowser, type Visit } from '@plataforma/testing/browser';
import { startWorld, type World } from './support/world.ts';

const ACCEPTED = 'https://sul.example/termos';
let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: Visit;

beforeAll(async () => {
  world = await startWorld({ TERMS_URL: ACCEPTED, SUPPORT_URL: 'mailto:suporte@sul.example' });
  browser = await startBrowser();
});
afterEach(() => opened.close());
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function formAt(path: string) {
  opened = await open(browser, { origin: world.url, width: 390, refusals: [401, 503] });
  const { page } = opened;
  await page.goto(path);
  await page.getByLabel('Nome da empresa').fill('Padaria da Ana');
  await page.getByLabel('CNPJ').fill('34.665.388/0001-61');
  await page.getByLabel('Telefone').fill('11987654321');
  await page.getByLabel('E-mail').fill('ana@padaria.example');
  await page.getByLabel('Senha').fill('fermento e paciência');
  return page;
}

const sent = () => world.gateway.requestsTo('/v1/auth/register').map(({ body }) => JSON.parse(body));

test('a registration refuses mistakes and sends the accepted terms', async () => {
  world.gateway.giving('POST /v1/auth/register', {}, 201);
  const page = await formAt('/register');
  const send = () => page.getByRole('button', { name: 'Criar conta' }).click();
  const says = (text: string) => page.getByText(text).waitFor();
  await page.getByLabel('CNPJ').fill('34.665.388/0001-62');
  await send();
  await says('CNPJ inválido.');
  await says('Aceite os termos para criar a conta.');
  const barriers = await barriersInModes(page);

  await page.getByLabel('CNPJ').fill('34.665.388/0001-61');
  await page.getByLabel(/Li e aceito/).check();
  await page.getByLabel('Senha').fill('Password1');
  await send();
  await says('Esta senha é muito comum');
  await page.getByLabel('Senha').fill('padaria2026');
  await send();
  await says('Esta senha usa o nome da empresa');
  const before = sent();
  await page.getByLabel('Senha').fill('fermento e paciência');
  await send();

  await eventually(() =>
    expect(sent()).toMatchObject([{ cnpj: '34.665.388/0001-61', acceptedTerms: ACCEPTED }]),
  );
  expect([before, barriers]).toEqual([[], []]);
});

test('a refusal links to the support of the installation', async () => {
  world.gateway.refusing('POST /v1/auth/register', 503, 'INTERNAL_ERROR');
  const page = await formAt('/test/register');
  await page.getByLabel(/Li e aceito/).check();

  await page.getByRole('button', { name: 'Criar conta' }).click();

  const support = page.getByRole('alert').getByRole('link', { name: 'suporte' });
  expect(await support.getAttribute('href')).toBe('mailto:suporte@sul.example');
});
