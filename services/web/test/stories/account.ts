import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { Visit } from '@plataforma/testing/browser';
import { logIn, world } from '../support/browser-world.ts';
import { fillCharge } from '../support/forms.ts';

export function testAccount(): void {
  let visit: Visit;

  beforeEach(async () => {
    visit = await world.visit();
    await logIn(visit, world.demo);
  });

  afterEach(() => visit.close());

  test('is logged out in all tabs at once', async () => {
    const other = await visit.context.newPage();
    await other.goto('/test/charges');
    await other.locator('#content h1').waitFor();

    await visit.page.getByRole('button', { name: /Loja Demonstração/ }).click();
    await visit.page.getByRole('button', { name: 'Sair' }).click();

    await eventually(async () => {
      expect([visit.page, other].map((page) => new URL(page.url()).pathname)).toEqual(['/login', '/login']);
    });
  });

  test('loses unanswered forms in each tab at the log-out', async () => {
    const other = await visit.context.newPage();
    await other.route('**/api/v1/charges', (route) =>
      route.request().method() === 'POST' ? undefined : route.fallback(),
    );
    await fillCharge(other);
    await other.keyboard.press('Enter');
    const storedInSession = () => other.evaluate('JSON.stringify(sessionStorage)');
    await eventually(async () => expect(await storedInSession()).toContain('João Pereira'));

    await visit.page.getByRole('button', { name: /Loja Demonstração/ }).click();
    await visit.page.getByRole('button', { name: 'Sair' }).click();

    await other.waitForURL((url) => url.pathname === '/login');
    expect(await storedInSession()).not.toContain('João Pereira');
  });

  test('ends another session and changes its password', async () => {
    const email = `sessoes-${Date.now()}@exemplo.com.br`;
    const account = { email, password: 'uma senha bem longa', companyName: 'Loja das Sessões' };
    const { refreshToken } = await world.make('/v1/auth/register', {
      ...{ ...account, cnpj: '11444777000161', phone: '11987654321' },
    });
    const own = await world.visit({ width: 390 });
    await logIn(own, account);
    const { page } = own;
    await page.goto('/test/settings');

    await page.getByRole('button', { name: /^Encerrar: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click();
    await page.getByText('Sessão encerrada').waitFor();
    await eventually(async () => expect(await page.getByText('Encerrar as outras').count()).toBe(0));
    await expect(world.make('/v1/auth/refresh', { refreshToken })).rejects.toThrow('INVALID_REFRESH_TOKEN');

    await page.locator('input[name=currentPassword]').fill('uma senha errada');
    await page.locator('input[name=newPassword]').fill('outra senha bem longa');
    await page.getByRole('button', { name: 'Mudar a senha' }).click();
    await page.getByText('A senha atual não confere.').waitFor();
    expect(await page.evaluate('document.activeElement?.name')).toBe('currentPassword');
    await page.locator('input[name=currentPassword]').fill(account.password);
    await page.getByRole('button', { name: 'Mudar a senha' }).click();
    await page.getByText('Senha alterada.').waitFor();
    await page.goto('/test/settings');
    await page.getByText('Esta sessão').waitFor();
    const changed = { email, password: 'outra senha bem longa' };
    expect(await world.make('/v1/auth/login', changed)).toMatchObject({ accessToken: expect.any(String) });
    await own.close();
  });

  test.each<[string, string[]]>([
    ['Loja', ['charges:write', 'charges:read']],
    ['Conciliação', ['charges:read', 'wallet:read']],
    ['Tudo', ['charges:write', 'charges:read', 'wallet:read', 'withdrawals:write']],
  ])(
    'creates a key for the use %s; a shop’s key is preselected and withdraws nothing',
    async (use, scopes) => {
      const { page } = visit;
      await page.goto('/test/developers/keys');
      await page.getByRole('button', { name: 'Nova chave' }).first().click();
      await page.locator('input[name=name]').fill(`chave ${use}`);
      if (use !== 'Loja') await page.getByRole('button', { name: use, exact: true }).click();
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Criar chave' }).click();

      expect((await sent).postDataJSON()).toMatchObject({ scopes });
      await page.getByText(/sk_sandbox_\w{38}/).waitFor();
      const row = page.locator('tr', { hasText: `chave ${use}` }).last();
      await row.getByText(use, { exact: true }).waitFor({ state: 'attached' });
    },
  );

  test('creates a key with chosen scopes and an expiry', async () => {
    const { page } = visit;
    await page.goto('/test/developers/keys');
    await page.getByRole('button', { name: 'Nova chave' }).first().click();
    await page.locator('input[name=name]').fill('atendimento');
    await page.getByRole('button', { name: 'Escolher' }).click();
    const refunds = page.getByLabel('Devolver cobranças', { exact: true });
    const offered = await refunds.count();
    await page.getByLabel('Criar e devolver cobranças').uncheck();
    await page.getByLabel('Consultar cobranças').uncheck();
    await refunds.check();
    await page.locator('input[name=expiresAt]').fill('2031-01-15');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Criar chave' }).click();

    expect([offered, (await sent).postDataJSON()]).toMatchObject([
      0,
      { name: 'atendimento', scopes: ['refunds:write'] },
    ]);
    await page.getByText(/sk_sandbox_\w{38}/).waitFor();
    await page.locator('td').getByText('15 de jan. de 2031, 23:59').waitFor({ state: 'attached' });
  });
}
