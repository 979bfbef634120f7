import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, sideScrollOf, type Visit } from '@plataforma/testing/browser';
import { enterForEach, world } from '../support/browser-world.ts';
import { sayWho } from '../support/buyer.ts';

export function testPaymentLinks(): void {
  const visit = enterForEach({ refusals: [401, 409] });

  /**
   * Scrolls to the top, because an element under the fixed bar can't be clicked. Then returns the
   * accessibility faults.
   */
  async function barriersOf(page: Visit['page']): Promise<string[]> {
    await page.evaluate('scrollTo(0, 0)');
    return barriersInModes(page);
  }

  const WIDTHS = [320, 390, 768, 1280];
  const AT_ONE = /\/test\/payment-links\/[0-9a-f-]{36}$/;
  const newLink = (fields: object = {}) =>
    world.make('/v1/payment-links', { description: 'Aula', amount: 4_990, ...fields });
  const linkOf = async (id: unknown) =>
    (await world.list('/v1/payment-links')).find((link) => link.id === id);

  /** Pays a link as a buyer, in a separate browser without the merchant's session. */
  async function payOnce(url: string): Promise<void> {
    const buyer = await world.visit({ width: 390 });
    await buyer.page.goto(url);
    await sayWho(buyer.page);
    await buyer.page.getByText('Aguardando o pagamento').waitFor();
    const [charge] = await world.list('/v1/charges?status=PENDING');
    await world.make(`/v1/charges/${charge?.id}/simulate-payment`);
    await buyer.page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
    await buyer.leave();
  }

  test('explains an empty list and leads to the form', async () => {
    const { page } = visit;
    await page.goto('/test');
    await page.locator('#content h1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Crie seu primeiro link de pagamento' }).waitFor();
    const empty = await barriersOf(page);
    await page.getByText('/v1/payment-links').waitFor();

    await page.getByRole('link', { name: 'Novo link' }).first().press('Enter');

    await page.getByRole('heading', { name: 'Novo link de pagamento' }).waitFor();
    expect([empty, await barriersOf(page), await sideScrollOf(page, WIDTHS)]).toEqual([[], [], []]);
  });

  test('creates one link for two presses, copied and paid', async () => {
    const { page } = visit;
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/test/payment-links/new');
    await page.getByLabel('Descrição').focus();
    await page.keyboard.type('Ensaio de fotos');
    await page.locator('input[name=amount]').focus();
    await page.keyboard.type('25000');
    await page.getByRole('button', { name: 'Uma vez' }).press('Enter');
    await page.getByLabel('Número do pedido').focus();
    const order = `ensaio-${Date.now()}`;
    await page.keyboard.type(order);
    const before = (await world.list('/v1/payment-links')).length;
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    await page.waitForURL(AT_ONE);
    await page.getByRole('button', { name: 'Copiar link' }).press('Enter');
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
    const url = String(await page.evaluate('navigator.clipboard.readText()'));
    const links = await world.list('/v1/payment-links');
    expect(links).toHaveLength(before + 1);
    expect(links[0]).toMatchObject({ url, amount: 25_000, uses: 1, externalId: order, checkoutColor: null });
    await payOnce(url);
    await page.getByText('O pedido foi pago.').waitFor();
    await page
      .getByRole('table', { name: 'Cobranças deste link' })
      .getByText('Paga', { exact: true })
      .waitFor();
    expect([await barriersOf(page), await sideScrollOf(page, WIDTHS)]).toEqual([[], []]);
    await page.getByRole('link', { name: 'Ver todas' }).press('Enter');
    await page.locator('main tbody tr').first().waitFor();
    expect(await page.locator('main tbody tr').count()).toBe(1);
    await page.locator('main tbody tr a').first().press('Enter');
    await page.getByRole('link', { name: 'Link de pagamento', exact: true }).press('Enter');
    await page.waitForURL(AT_ONE);
  });

  test('creates a link once when it is reloaded meanwhile', async () => {
    const { page } = visit;
    const before = await world.list('/v1/payment-links');
    await page.goto('/test/payment-links/new');
    await page.getByLabel('Descrição').fill('Curso de pão');
    await page.locator('input[name=amount]').fill('9900');
    await page.getByLabel('Válido até').fill('2036-01-01');
    const done = Promise.withResolvers<void>();
    let isFirst = true;
    await page.route('**/api/v1/payment-links', async (route) => {
      if (route.request().method() !== 'POST' || !isFirst) return route.fallback();
      isFirst = false;
      await route.fetch();
      done.resolve();
    });
    await page.keyboard.press('Enter');
    await done.promise;
    await page.reload();

    await page.waitForURL(AT_ONE);
    const [made, ...others] = await world.list('/v1/payment-links');
    expect(made).toMatchObject({
      description: 'Curso de pão',
      uses: null,
      expiresAt: '2036-01-02T02:59:59.000Z',
    });
    expect(others).toEqual(before);
  });

  test('shows errors beside their fields and sends nothing', async () => {
    const { page } = visit;
    const before = await world.list('/v1/payment-links');
    await page.goto('/test/payment-links/new');
    await page.getByLabel('Descrição').fill('Doação');
    await page.getByRole('button', { name: 'O comprador decide' }).press('Enter');
    await page.getByLabel('Mínimo').fill('5000');
    await page.getByLabel('Máximo').fill('1000');
    await page.getByLabel('Pix', { exact: true }).uncheck();
    await page.getByLabel('Cartão', { exact: true }).uncheck();
    await page.getByLabel('Válido até').fill('2026-01-01');
    await page.getByLabel('Endereço de retorno').fill('http://loja.example');
    await page.getByLabel('Já conheço o pagador').check();
    await page.getByLabel('Nome do pagador').fill('Maria');
    await page.getByLabel('CPF ou CNPJ do pagador').fill('123');
    await page.getByRole('button', { name: 'Criar link' }).press('Enter');

    for (const text of [
      'O mínimo não pode passar do máximo.',
      'Escolha ao menos um meio de pagamento.',
      'Escolha hoje ou um dia futuro.',
      'Use um endereço que comece com https://.',
      'CPF ou CNPJ inválido. Confira os números e as letras.',
    ]) {
      await page.getByText(text).waitFor();
    }
    expect(await page.evaluate('document.activeElement?.name')).toBe('minAmount');
    expect(await barriersOf(page)).toEqual([]);
    expect(await world.list('/v1/payment-links')).toEqual(before);
  });

  test('previews a colour and a logo, and removes them', async () => {
    const { page } = visit;
    const picture = await readFile(new URL('../../../../docs/images/home.png', import.meta.url));
    await page.goto('/test/payment-links/new');
    await page.getByLabel('Descrição').fill('Bolo de fubá');
    await page.locator('input[name=amount]').fill('3500');
    await page.getByLabel('Cor', { exact: true }).fill('#fff200');
    const logo = page.getByLabel('Logotipo');
    await logo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await page.getByText('Esta imagem não pôde ser lida.').waitFor();
    await logo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture });
    const shown = page.locator('figure img');
    await shown.waitFor();
    const source = await shown.getAttribute('src');
    await page.getByText('R$ 35,00').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Criar link' }).press('Enter');
    await page.waitForURL(AT_ONE);
    const url = String(await page.getByLabel('Endereço do link').inputValue());
    const buyer = await visit.context.newPage();
    await buyer.goto(url);

    const address = String(await buyer.locator('img').first().getAttribute('src'));
    const served = await (await fetch(new URL(address, url))).arrayBuffer();
    expect(`data:image/png;base64,${Buffer.from(served).toString('base64')}`).toBe(source);
    const pay = buyer.getByRole('button', { name: 'Pagar com Pix' });
    const looks = await pay.evaluate(
      (button) => button.ownerDocument.defaultView?.getComputedStyle(button).backgroundColor,
    );
    expect(looks).toBe('rgb(255, 242, 0)');
    await page.getByRole('link', { name: 'Editar' }).press('Enter');
    await page.getByRole('button', { name: 'Tirar logotipo' }).press('Enter');
    await page.getByRole('button', { name: 'Usar a cor da conta' }).press('Enter');
    await page.getByRole('button', { name: 'Sem limite' }).press('Enter');
    await page.getByRole('button', { name: 'Salvar' }).press('Enter');
    await page.waitForURL(AT_ONE);
    expect(await linkOf(page.url().split('/').at(-1))).toMatchObject({ checkoutColor: null, uses: null });
    await buyer.reload();
    expect(await buyer.locator('img').count()).toBe(0);
  });

  test('pauses, resumes and edits a link without losing other changes', async () => {
    const { page } = visit;
    const expiresAt = '2036-01-01T15:00:00.000Z';
    const { id } = await newLink({ uses: 5, expiresAt });
    await page.goto(`/test/payment-links/${id}`);
    await page.getByRole('button', { name: 'Pausar' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Pausar' }).press('Enter');
    await page.getByText('O link está pausado').waitFor();
    const paused = await linkOf(id);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reativar' }).press('Enter');
    await page.getByText('O link está pausado').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Editar' }).press('Enter');
    await page.getByLabel('Descrição').fill('Aula de violão');
    const others = { checkoutColor: '#0a7f5a', returnUrl: 'https://loja.example/volta', uses: 8 };
    await world.change(`/v1/payment-links/${id}`, others);
    expect([await barriersOf(page), await sideScrollOf(page, WIDTHS)]).toEqual([[], []]);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Aula de violão' }).waitFor();
    expect([paused?.isActive, await linkOf(id)]).toMatchObject([
      false,
      { isActive: true, description: 'Aula de violão', expiresAt, ...others },
    ]);
  });

  test('filters links by status and opens one on a phone', async () => {
    const { page } = visit;
    const { id } = await newLink({ description: 'Rifa que terminou', expiresAt: '2026-01-01' });
    await newLink();
    await page.goto('/test/payment-links');
    await page.locator('select[name=status]').selectOption('EXPIRED');
    await page.waitForURL('**/payment-links?status=EXPIRED');
    await eventually(async () => expect(await page.locator('main tbody tr').count()).toBe(1));
    expect([await barriersOf(page), await sideScrollOf(page, WIDTHS)]).toEqual([[], []]);
    await page.setViewportSize({ width: 390, height: 800 });

    await page.getByRole('link', { name: 'Rifa que terminou' }).press('Enter');

    await page.waitForURL(`**/test/payment-links/${id}`);
    await page.getByText('O link expirou').waitFor();
  });
}
