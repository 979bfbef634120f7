import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startFakeMerchant, startLoopback } from '@plataforma/testing';
import { anOrder, enterForEach, paidCharge, visitAsDemo, world } from '../support/browser-world.ts';
import { fillCharge, withdrawTo } from '../support/forms.ts';

export function testDashboard(): void {
  const visit = enterForEach();

  beforeAll(async () => {
    await paidCharge({ amount: 90_000 });
  });

  describe('with the keyboard only', () => {
    test('creates one charge with two presses', async () => {
      const { page } = visit;
      await page.goto('/test/charges/new');
      await page.locator('input[name=amount]').focus();
      await page.keyboard.type('4990');
      await page.locator('input[name=payerName]').focus();
      await page.keyboard.type('João Pereira');
      await page.keyboard.press('Tab');
      await page.keyboard.type('12345678909');
      const order = await page.locator('input[name=externalId]').inputValue();

      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');

      await page.waitForURL(/\/test\/charges\/[0-9a-f-]{36}$/);
      expect(await world.list(`/v1/charges?externalId=${order}`)).toHaveLength(1);
    });

    test('orders a withdrawal in three steps', async () => {
      const { page } = visit;
      await page.goto('/test/withdrawals/new');
      await page.getByRole('button', { name: 'Chave Pix' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('select[name=pixKeyType]').selectOption('EMAIL');
      await page.locator('input[name=pixKey]').focus();
      await page.keyboard.type('maria@exemplo.com.br');
      await page.keyboard.press('Enter');
      await page.locator('input[name=amount]').waitFor();
      await page.keyboard.type('99999999');
      await page.keyboard.press('Enter');
      await page.getByText('O saldo não cobre este valor.').waitFor();
      await page.getByText('Falta no saldo').waitFor();
      await page.locator('input[name=amount]').selectText();
      await page.keyboard.type('1500');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Sacar R/ }).waitFor();
      await page.keyboard.press('Enter');

      await page.waitForURL(/\/test\/withdrawals\/[0-9a-f-]{36}$/);
      const [withdrawal] = await world.list('/v1/withdrawals');
      expect(withdrawal).toMatchObject({ amount: 1_500, pixKey: 'maria@exemplo.com.br' });
    });

    test('refunds in part, and a closed dialog returns the focus', async () => {
      const { page } = visit;
      const id = await paidCharge({ amount: 6_000 });
      await page.goto(`/test/charges/${id}`);
      const refund = page.getByRole('button', { name: 'Devolver', exact: true });
      await refund.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const focused = await refund.evaluate((button) => button.matches(':focus-visible'));

      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Devolver R$ 60,00' }).waitFor();
      await page.getByRole('button', { name: 'Outro valor' }).press('Enter');
      await page.locator('input[name=amount]').selectText();
      await page.keyboard.type('2000');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Veio uma peça a menos');
      await page.keyboard.press('Enter');
      await page.getByText(/Pagamento devolvido|Devolução em andamento/).waitFor();

      await page
        .locator('dl > div', { hasText: 'Devolvido' })
        .getByText(/R\$\s20,00/)
        .waitFor();
      await page.getByText(/^Devolvida em parte · R\$\s20,00$/).waitFor();
      const [made] = await world.list('/v1/refunds');
      expect([focused, made]).toEqual([
        true,
        expect.objectContaining({ chargeId: id, amount: 2_000, reason: 'Veio uma peça a menos' }),
      ]);
    });
  });

  test('never sees the cost of a previous amount', async () => {
    const { page } = visit;
    await withdrawTo(page, 'ana@exemplo.com.br');
    await page.locator('input[name=amount]').fill('1500');
    await page.getByText('Saldo depois').waitFor();
    const taken = page.locator('dl > div', { hasText: 'Sai do saldo' }).locator('dd');
    await eventually(async () => expect(await taken.textContent()).toMatch(/R\$/));
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/v1/quotes', async (route) => {
      await answered.promise;
      await route.fallback();
    });

    await page.locator('input[name=amount]').fill('2300');
    const asking = await taken.textContent();
    answered.resolve();

    await eventually(async () => expect(await taken.textContent()).toMatch(/2[34],/));
    expect(asking).toBe('');
  });

  describe('after a reload during a request', () => {
    /** Lets the API make the change, but drops the first answer on its way to the page. */
    async function loseAnswerOf(path: string, press: () => Promise<void>): Promise<void> {
      const { page } = visit;
      const done = Promise.withResolvers<void>();
      let isFirst = true;
      await page.route(path, async (route) => {
        if (route.request().method() !== 'POST' || !isFirst) return route.fallback();
        isFirst = false;
        await route.fetch();
        done.resolve();
      });
      await press();
      await done.promise;
      await page.reload();
    }

    test('finds the charge created once', async () => {
      const { page } = visit;
      await fillCharge(page);
      const order = await page.locator('input[name=externalId]').inputValue();

      await loseAnswerOf('**/api/v1/charges', () => page.keyboard.press('Enter'));

      await page.waitForURL(/\/test\/charges\/[0-9a-f-]{36}$/);
      expect(await world.list(`/v1/charges?externalId=${order}`)).toHaveLength(1);
    });

    test('finds the withdrawal ordered once', async () => {
      const { page } = visit;
      const before = await world.list('/v1/withdrawals');
      await withdrawTo(page, 'jose@exemplo.com.br');
      await page.locator('input[name=amount]').fill('1100');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Sacar R/ }).waitFor();

      await loseAnswerOf('**/api/v1/withdrawals', () => page.keyboard.press('Enter'));

      await page.waitForURL(/\/test\/withdrawals\/[0-9a-f-]{36}$/);
      expect(await world.list('/v1/withdrawals')).toHaveLength(before.length + 1);
    });
  });

  test('finds a waiting transfer by its method and cancels it', async () => {
    const { page } = visit;
    const account = { bankCode: '341', branch: '0001', account: '12345-6', accountType: 'CHECKING' };
    const holder = { holderName: 'Maria da Silva', holderDocument: '12345678909' };
    const saved = await world.make('/v1/destinations', { type: 'BANK_ACCOUNT', ...account, ...holder });
    const { id } = await world.make('/v1/withdrawals', { amount: 1_000, destinationId: saved.id });

    await page.goto('/test/withdrawals');
    await page.locator('select[name=method]').selectOption('TED');
    await page.getByText(holder.holderName).waitFor();
    await page.locator(`a[href="/test/withdrawals/${id}"]`).click();
    await page.waitForURL(`**/test/withdrawals/${id}`);
    await page.getByText('Nossa equipe precisa aprovar o saque').waitFor();
    await page.getByText('12345-6').first().waitFor();
    await page.getByRole('button', { name: 'Cancelar saque' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar saque' }).click();

    await page.getByText('Cancelado por você.').waitFor();
    expect(await world.list('/v1/withdrawals?method=TED')).toMatchObject([{ id, status: 'REJECTED' }]);
  });

  test('tests a webhook and replaces its secret gradually', async () => {
    const { page } = visit;
    const { id } = await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` });
    const dialog = page.getByRole('dialog');

    await page.goto(`/test/developers/webhooks/${id}`);
    await page.getByRole('button', { name: 'Enviar teste' }).click();
    await dialog.locator('select[name=event]').selectOption('charge.paid');
    await dialog.getByRole('button', { name: 'Enviar teste' }).click();
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();
    await page.getByRole('button', { name: 'Trocar segredo' }).click();
    await dialog.locator('select[name=grace]').selectOption('week');
    await dialog.getByRole('button', { name: 'Trocar segredo' }).click();

    await page.getByText('Segredo do webhook').waitFor();
    await page.goto('/test/developers');
    await page.getByText(/curl http:\/\/127\.0\.0\.1:\d+\/v1\/charges/).waitFor();
  });

  test('sends a failed delivery again, and then all failed ones', async () => {
    const { page } = visit;
    const shop = await startFakeMerchant();
    shop.answer(() => ({ status: 500 }));
    const { id } = await world.make('/v1/webhook-config', { url: shop.url });
    for (const _ of [1, 2]) await world.make(`/v1/webhook-config/${id}/test`);
    await eventually(() => expect(shop.deliveries.length).toBeGreaterThan(1));
    await page.goto('/test');
    await page.getByRole('link', { name: 'Ver webhook' }).click();
    await page.getByText('O servidor não respondeu à última tentativa').waitFor();
    await world.change(`/v1/webhook-config/${id}`, { isActive: false });
    await eventually(async () => {
      const failed = await world.list(`/v1/webhook-deliveries?webhookId=${id}&status=FAILED`);
      expect(failed).toHaveLength(2);
    });
    await world.change(`/v1/webhook-config/${id}`, { isActive: true });
    shop.answer(() => ({ status: 200 }));

    await page.reload();
    await page.getByRole('link', { name: 'webhook.test' }).first().click();
    await page.getByRole('button', { name: 'Reenviar' }).click();
    await page.getByText('Reenvio', { exact: true }).waitFor();
    await page.getByText('Entregue', { exact: true }).waitFor();
    await page.goto(`/test/developers/webhooks/${id}`);
    await page.getByRole('button', { name: 'Reenviar falhas' }).click();
    await page.getByText('1 entrega falhou.').waitFor();
    await page.getByRole('button', { name: 'Reenviar todas' }).click();
    await page.getByText('Reenviadas: 1 de 1.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().click();

    await eventually(async () => {
      const deliveries = await world.list(`/v1/webhook-deliveries?webhookId=${id}`);
      expect(deliveries.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    });
    await world.remove(`/v1/webhook-config/${id}`);
    await shop.stop();
  });

  test('sees a net amount only of charges that were paid, less what was refunded', async () => {
    const { page } = visit;
    const refunded = await paidCharge({ amount: 7_000 });
    await world.make(`/v1/charges/${refunded}/refund`, { amount: 1_000 });
    const { id: unpaid } = await world.make('/v1/charges', anOrder({ amount: 8_000 }));
    await page.goto('/test/charges');
    const cells = (id: unknown) =>
      page.locator('tbody tr', { has: page.locator(`a[href$="/${id}"]`) }).locator('td');

    await cells(refunded)
      .getByText(/^Devolvida em parte · R\$\s10,00$/)
      .waitFor();
    expect(await cells(refunded).nth(5).textContent()).toMatch(/^R\$\s59,31$/);
    expect(await cells(unpaid).nth(5).textContent()).toBe('');
  });

  test('sees HTML in a description as plain text', async () => {
    const description = '<img src=x onerror=console.error(1)>';
    const { id } = await world.make('/v1/charges', anOrder({ description }));

    await visit.page.goto(`/test/charges/${id}`);

    await visit.page.getByText(description).first().waitFor();
  });

  test('is protected from withdrawals ordered by another site', async () => {
    const before = await world.list('/v1/withdrawals');
    const stranger = await startLoopback(async (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><h1>x</h1></html>',
      );
    });
    const victim = await visitAsDemo();
    const { page } = victim;
    await page.goto(stranger.url);

    const status = await page.evaluate(`fetch(${JSON.stringify(`${world.webUrl}/api/v1/withdrawals`)}, {
      method: 'POST',
      mode: 'no-cors',
      credentials: 'include',
      body: JSON.stringify({ amount: 1000, pixKey: 'eu@ladrao.example', pixKeyType: 'EMAIL' }),
    }).then((response) => response.type, () => 'blocked')`);
    await stranger.stop();

    expect(['opaque', 'blocked']).toContain(status);
    expect(await world.list('/v1/withdrawals')).toHaveLength(before.length);
    // Close the visit without a check of its faults, because the refused request would count as a fault.
    await victim.close();
  });
}
