import { beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, type Visit } from '@plataforma/testing/browser';
import { newCnpj } from '@plataforma/testing/fixtures';
import { enter, send, world } from '../support/browser-world.ts';
import { OURS } from '../support/world.ts';

const SHEET = `navigator.share = (data) => {
  globalThis.shared = data;
  return Promise.resolve();
}`;

let accounts = 0;

/** Registers a company that no operator has approved yet, and opens a browser for it. */
async function visitAsNewcomer(hasSheet = false) {
  accounts += 1;
  const email = `nova-${Date.now()}-${accounts}@exemplo.com.br`;
  const password = 'uma senha bem longa';
  const company = { companyName: 'Floricultura da Rosa', cnpj: newCnpj(), phone: '11987654321' };
  await world.make('/v1/auth/register', { email, password, ...company });
  // Production's pages may ask the API once before they lead an account in review to test mode.
  const newcomer = await world.visit({ refusals: [401, 403, 404] });
  if (hasSheet) await newcomer.context.addInitScript(SHEET);
  return { ...newcomer, email, password };
}

export function testFirstSteps(): void {
  let visit: Visit & { email: string; password: string };

  beforeEach(async () => {
    visit = await visitAsNewcomer(true);
  });

  const stepsOf = (page: Visit['page']) =>
    page.locator('section', { hasText: 'Primeiros passos' }).locator('ol > li');

  test('a seller by message shares a link and sees it paid', async () => {
    const { page } = visit;
    await enter(visit, visit);
    await page.goto('/test');
    await stepsOf(page).getByRole('link', { name: 'Crie um link de pagamento' }).click();
    await page.getByLabel('Descrição').fill('Buquê de rosas');
    await page.getByLabel('Valor', { exact: true }).fill('8000');
    await page.getByRole('button', { name: 'Criar link' }).click();
    await page.getByRole('heading', { name: 'Envie este link' }).waitFor();
    const share = page.getByRole('button', { name: 'Compartilhar' });
    await share.click();
    const url = String(await page.evaluate('globalThis.shared.url'));
    const message = await page.getByRole('link', { name: 'Enviar por WhatsApp' }).getAttribute('href');
    const cards = await page.getByRole('heading', { name: 'Requisições' }).count();
    await page.goto('/test');
    await stepsOf(page).nth(1).getByRole('link', { name: 'Enviar por WhatsApp' }).waitFor();
    const barriers = await barriersInModes(page);
    const [done, ...open] = await stepsOf(page).getByRole('img').all();
    const states = await Promise.all([done, ...open].map((each) => each?.getAttribute('aria-label')));

    expect(url).toMatch(/\/pay\/l\/[\w-]+$/);
    expect(message).toBe(`https://wa.me/?${new URLSearchParams({ text: `Buquê de rosas: ${url}` })}`);
    expect([states, cards, barriers]).toEqual([['Feito', 'A fazer', 'A fazer', 'A fazer'], 0, []]);
    const pix = { amount: 8_000, externalId: 'rosas-1', payerName: 'Ana', payerDocument: '12345678909' };
    await send(visit, 'POST', '/api/v1/charges', pix);
    await page.goto('/test/charges');
    await page.locator('tbody a').first().click();
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByText('Pagamento confirmado').first().waitFor();
    const key = { type: 'PIX', pixKey: 'rosa@exemplo.com.br', pixKeyType: 'EMAIL' };
    await send(visit, 'POST', '/api/v1/destinations', key);
    await page.goto('/test');
    await page.getByText('Cobranças recentes').waitFor();
    await eventually(async () => expect(await stepsOf(page).count()).toBe(0));
    await visit.leave();
  });

  test('a seller with a site keeps its steps, and sees the API after its first key', async () => {
    const { page } = visit;
    await enter(visit, visit);
    await page.goto('/test/charges');
    await page.getByText('Crie sua primeira cobrança').waitFor();
    const before = await page.getByText('curl').count();
    await page.goto('/test');
    await page.getByRole('button', { name: 'Tenho um site' }).click();
    await page.reload();
    await stepsOf(page).getByRole('link', { name: 'Configure um webhook' }).waitFor();
    const key = { name: 'loja', environment: 'sandbox', scopes: ['charges:write'] };
    await send(visit, 'POST', '/api/v1/api-keys', key);
    await page.goto('/test/charges');

    await page.getByText('curl').waitFor();
    expect(before).toBe(0);
    await visit.leave();
  });

  test('an account in review lands in test mode and reads what comes next', async () => {
    const { page } = visit;
    await page.goto('/login');
    await page.getByLabel('E-mail').fill(visit.email);
    await page.getByLabel('Senha').fill(visit.password);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.waitForURL((url) => url.pathname === '/test');
    await page.getByRole('link', { name: 'O que vem a seguir' }).click();
    await page.getByRole('heading', { name: 'Em análise' }).waitFor();
    await page.goto('/charges');
    await page.waitForURL((url) => url.pathname === '/review');
    await page.getByRole('heading', { name: 'Em análise' }).waitFor();
    const barriers = await barriersInModes(page);
    await page.getByRole('link', { name: 'Ir para o modo de teste' }).click();
    await page.waitForURL((url) => url.pathname === '/test');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator('aside').getByRole('link', { name: 'Produção' }).click();
    await page.getByRole('heading', { name: 'Em análise' }).waitFor();

    await approve(visit);
    await page.reload();
    await page.getByRole('heading', { name: 'Conta aprovada' }).waitFor();
    await page.getByRole('link', { name: 'Ir para produção' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByText('Primeiros passos').waitFor();
    expect(barriers).toEqual([]);
    await visit.leave();
  });
}

/** Approves the account, and waits until production accepts its requests. */
async function approve({ email, context }: Visit & { email: string }): Promise<void> {
  const id = await world.merchantId(email);
  await world.operate(`/v1/admin/merchants/${id}/approve`, {});
  await eventually(async () => {
    const answer = await context.request.get('/api/v1/charges', { headers: OURS });
    expect(answer.status()).toBe(200);
  });
}
