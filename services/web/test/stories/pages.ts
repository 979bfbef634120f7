import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type FakeMerchant, startFakeMerchant } from '@plataforma/testing';
import type { Visit } from '@plataforma/testing/browser';
import { anOrder, enterForEach, paidCharge, world } from '../support/browser-world.ts';

export function testPages(): void {
  let shop: FakeMerchant;
  const visit = enterForEach({ refusals: [401, 400, 404] });

  beforeAll(async () => {
    shop = await startFakeMerchant();
  });

  afterAll(() => shop?.stop());

  const BACKGROUND = `(name) => {
    const all = [...document.querySelectorAll('figure span, button')];
    const { backgroundColor, color } = getComputedStyle(all.find((each) => each.textContent === name));
    return [backgroundColor, color];
  }`;
  const looksOf = (page: Visit['page'], name: string) => page.evaluate(`(${BACKGROUND})('${name}')`);

  test('a colour is previewed as the buyer sees it later', async () => {
    const { page } = visit;
    const { id } = await world.make('/v1/charges', anOrder());
    await page.goto('/test/settings');
    const colour = page.getByLabel('Cor da sua marca');
    await colour.fill('#fff200');
    const bright = await looksOf(page, 'Copiar código Pix');
    await colour.fill('#3b0a57');
    const dark = await looksOf(page, 'Copiar código Pix');
    const card = page.locator('form', { has: colour });
    await card.getByRole('button', { name: 'Salvar' }).press('Enter');
    await page.getByRole('status').getByText('Alterações salvas').waitFor();

    const buyer = await visit.context.newPage();
    await eventually(async () => {
      await buyer.goto(`/pay/${id}`);
      expect(await looksOf(buyer, 'Copiar código Pix')).toEqual(dark);
    });
    expect([bright, dark]).toEqual([
      ['rgb(255, 242, 0)', 'rgb(0, 0, 0)'],
      ['rgb(59, 10, 87)', 'rgb(255, 255, 255)'],
    ]);
  });

  test('an invalid phone is refused and a valid phone saved', async () => {
    const { page } = visit;
    await page.goto('/test/settings');
    await page.getByRole('heading', { name: 'Contato' }).waitFor();
    const phone = page.getByLabel('Telefone');
    await phone.fill('119');
    await page.keyboard.press('Enter');
    await page.getByText('Telefone inválido. Digite o DDD e o número.').waitFor();
    const isFocused = await phone.evaluate((field) => field === field.ownerDocument.activeElement);
    await phone.fill('11912345678');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Alterações salvas').waitFor();

    await page.reload();

    await eventually(async () => expect(await phone.inputValue()).toBe('(11) 91234-5678'));
    expect(isFocused).toBe(true);
  });

  test('the chosen time zone is saved', async () => {
    const { page } = visit;
    await page.goto('/test/settings');
    const zone = page.getByLabel('Fuso horário');
    const before = await zone.inputValue();
    await zone.selectOption({ label: 'Manaus (UTC−4)' });
    await page.locator('form', { has: zone }).getByRole('button', { name: 'Salvar' }).press('Enter');
    await page.getByRole('status').getByText('Alterações salvas').waitFor();

    await page.reload();

    await eventually(async () => expect(await zone.inputValue()).toBe('America/Manaus'));
    expect(before).toBe('America/Sao_Paulo');
    await zone.selectOption('America/Sao_Paulo');
    await page.locator('form', { has: zone }).getByRole('button', { name: 'Salvar' }).press('Enter');
    await page.getByRole('status').getByText('Alterações salvas').waitFor();
  });

  test('a bank account is saved by bank name and deleted', async () => {
    const { page } = visit;
    await page.goto('/test/destinations');
    await page.getByRole('button', { name: 'Novo destino' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Conta bancária' }).press('Enter');
    await dialog.getByLabel('Banco').fill('itaú unibanco');
    await dialog.getByLabel('Agência').fill('0001');
    await dialog.getByLabel('Conta com dígito').fill('12345-6');
    await dialog.getByLabel('Nome do titular').fill('Maria da Silva');
    const document = dialog.getByLabel('CPF ou CNPJ do titular');
    await document.fill('1234567890');
    await page.keyboard.press('Enter');
    await dialog.locator('[aria-invalid="true"]').waitFor();
    const refusedAt = await document.evaluate((field) => field === field.ownerDocument.activeElement);
    await document.fill('12345678909');
    await page.keyboard.press('Enter');

    await dialog.waitFor({ state: 'detached' });
    const row = page.locator('main tbody tr', { hasText: 'Maria da Silva' });
    await row.getByText('Itaú Unibanco · ag. 0001 · conta 12345-6').waitFor();
    expect(refusedAt).toBe(true);
    const [saved] = await world.list('/v1/destinations');
    expect(saved).toMatchObject({ bankCode: '341', account: '12345-6' });
    await row.getByRole('button', { name: /^Apagar Itaú Unibanco/ }).press('Enter');
    await dialog.getByRole('button', { name: 'Apagar' }).press('Enter');
    await page.getByRole('heading', { name: 'Nenhum destino salvo' }).waitFor();
    expect(await world.list('/v1/destinations')).toEqual([]);
  });

  test('a refusal appears in its dialog, which keeps the focus', async () => {
    const { page } = visit;
    const key = { type: 'PIX', pixKey: 'jose@exemplo.com.br', pixKeyType: 'EMAIL' };
    const { id } = await world.make('/v1/destinations', key);
    await page.goto('/test/destinations');
    await page.getByRole('button', { name: `Apagar ${key.pixKey}` }).press('Enter');
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Apagar' });
    await world.remove(`/v1/destinations/${id}`);

    await remove.press('Enter');

    await dialog.getByRole('alert').getByText('Não encontramos o que você procura').waitFor();
    expect(await remove.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  });

  test('a webhook shows each attempt with its answer and body', async () => {
    const { page } = visit;
    const answers = [{ status: 503, body: 'fechado para balanço' }];
    shop.answer(() => answers.shift() ?? { status: 200, body: 'recebido' });
    await page.goto('/test/developers/webhooks');
    await page.getByRole('button', { name: 'Novo webhook' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Os outros eventos só chegam a webhooks que os escolhem.').waitFor();
    await dialog.getByRole('button', { name: 'Só estes' }).click();
    const marked = await dialog.getByRole('checkbox', { checked: true }).count();
    await dialog.getByRole('button', { name: 'Eventos padrão' }).click();
    await dialog.getByLabel('Endereço').fill(`${shop.url}/avisos`);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Já guardei em lugar seguro').check();
    await dialog.getByRole('button', { name: 'Concluir' }).press('Enter');
    const [hook] = await world.list('/v1/webhook-config');
    expect([marked, hook?.events]).toEqual([9, []]);
    await world.make('/v1/sandbox/webhook-faults', { webhookId: hook?.id, kind: 'drop' });
    await paidCharge();

    await page.getByRole('link', { name: `${shop.url}/avisos` }).press('Enter');
    const row = page.getByRole('table', { name: 'Entregas' }).locator('tbody tr', { hasText: 'charge.paid' });
    await row.getByText('Entregue').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    const attempts = row.locator('td[data-label="Tentativas"]');
    const onPhone = [await attempts.isVisible(), await attempts.textContent()];
    await row.getByRole('link', { name: 'charge.paid' }).press('Enter');

    const items = page.getByRole('main').locator('ol > li');
    await items.nth(2).waitFor();
    const [last, second, dropped] = await items.allTextContents();
    expect(onPhone).toEqual([true, '3']);
    expect(dropped).toMatch(/^Tentativa 1Falha simulada: não enviada/);
    expect(second).toMatch(/Tentativa 2.*Respondeu 503.*fechado para balanço/s);
    expect(last).toMatch(/Tentativa 3.*Respondeu 200.*recebido/s);
    const sent = shop.deliveries.at(-1);
    const body = page.locator('section', { has: page.getByRole('heading', { name: 'Corpo enviado' }) });
    expect(JSON.parse(String(await body.locator('pre').textContent()))).toEqual(
      JSON.parse(String(sent?.body)),
    );
    await page.getByText(`X-Webhook-Id: ${String(sent?.headers['x-webhook-id'])}`).waitFor();
    await page.getByRole('link', { name: '← Entregas' }).press('Enter');
    await page.getByRole('button', { name: 'Não entregue' }).press('Enter');
    await page.getByRole('heading', { name: 'Nenhuma entrega' }).waitFor();
  });

  test('a correction shows its reason on a phone', async () => {
    const { page } = visit;
    const id = await paidCharge();
    const correction = { environment: 'sandbox', amount: 1_234, description: 'Tarifa de outubro devolvida' };
    await world.operate('/v1/admin/ledger/adjustments', {
      merchantId: await world.merchantId(),
      ...correction,
    });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/test/statement');

    const row = page.locator('main tbody tr', { hasText: 'R$ 12,34' });
    await row.getByText(correction.description).waitFor();
    const sale = page.locator('main tbody tr', { has: page.locator(`a[href="/test/charges/${id}"]`) }).last();
    expect(await sale.getByText('Pix', { exact: true }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await sale.getByText('Pix', { exact: true }).waitFor();
  });

  test('a charge’s payment link opens the buyer’s page', async () => {
    const { page } = visit;
    const { id, checkoutUrl } = await world.make('/v1/charges', anOrder({ amount: 7_777 }));
    await page.goto(`/test/charges/${id}`);
    const link = page.getByRole('link', { name: 'Abrir' });
    const opened = visit.context.waitForEvent('page');

    await link.press('Enter');

    const buyer = await opened;
    await buyer.getByText('Aguardando o pagamento').waitFor();
    expect(buyer.url()).toBe(checkoutUrl);
    expect(await buyer.locator('body').textContent()).toMatch(/R\$\s77,77/);
  });
}
