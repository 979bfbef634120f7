import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, type Visit, type VisitOptions } from '@plataforma/testing/browser';
import { visitAsDemo, world } from '../support/browser-world.ts';
import { chargesOf, type Link, newLink, PAID, PAYER, sayWho, writeCard } from '../support/buyer.ts';

export function testLinks(): void {
  let visit: Visit;

  type Page = Visit['page'];

  afterEach(() => visit.leave());

  async function open(path: string, options: Partial<VisitOptions> = {}): Promise<Page> {
    visit = await world.visit({ width: 390, refusals: [402], ...options });
    await visit.page.goto(path);
    return visit.page;
  }

  async function chargeOf(link: Link): Promise<Record<string, unknown>> {
    const [charge] = await chargesOf(link);
    if (!charge) throw new Error('the link has made no charge');
    return charge;
  }

  test('is paid by Pix and shows it without a reload', async () => {
    const link = await newLink({ returnUrl: 'https://loja.example/obrigado' });
    const page = await open(link.path);
    const asking = await barriersInModes(page);

    await sayWho(page);
    await page.getByText('Aguardando o pagamento').waitFor();
    const waiting = await barriersInModes(page);
    await world.make(`/v1/charges/${(await chargeOf(link)).id}/simulate-payment`);

    await page.getByRole('heading', PAID).waitFor();
    const back = page.getByRole('link', { name: /^Voltar para / });
    expect(await back.getAttribute('href')).toMatch(
      /^https:\/\/loja\.example\/obrigado\?checkout=[0-9a-f-]{36}$/,
    );
    expect([asking, waiting, await barriersInModes(page)]).toEqual([[], [], []]);
  });

  test('is paid by card in installments after a declined card', async () => {
    const link = await newLink();
    const page = await open(link.path);
    await sayWho(page, 'Pagar com cartão');
    await page.getByRole('heading', { name: 'Cartão de crédito' }).waitFor();
    const form = await barriersInModes(page);

    await writeCard(page, '4000 0000 0000 0028');
    await page.getByRole('button', { name: /^Pagar R\$/ }).click();
    await page.getByRole('alert').waitFor();
    const declined = await page.getByRole('alert').textContent();
    await writeCard(page, '4000 0000 0000 0010');
    await page.getByLabel('Parcelas').selectOption('3');
    await page.getByRole('button', { name: /^Pagar R\$/ }).click();

    await page.getByRole('heading', PAID).waitFor();
    expect(declined).toMatch(/cartão|banco/i);
    expect(await page.locator('main').textContent()).toMatch(
      /final 0010.*3x sem juros: a primeira de R\$\s16,64, as outras de R\$\s16,63/,
    );
    const paid = await chargeOf(link);
    expect(paid).toMatchObject({ status: 'PAID', paymentMethod: 'CARD', installments: 3 });
    expect(form).toEqual([]);
    const dashboard = await visitAsDemo();
    await dashboard.page.goto(`/test/charges/${paid.id}`);
    for (const bankId of [paid.nsu, paid.authorizationCode, paid.acquirerId]) {
      const has = dashboard.page.getByText(String(bankId), { exact: true });
      await dashboard.page.locator('dd').filter({ has }).getByRole('button', { name: 'Copiar' }).waitFor();
    }
    await dashboard.leave();
  });

  test('takes a card written before the script has loaded', async () => {
    const link = await newLink();
    const page = await open(link.path);
    const loading = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    await sayWho(page);
    await page.route('**/*.js', async (route) => {
      loading.resolve();
      await written.promise;
      await route.continue();
    });

    await page.getByRole('button', { name: 'Pagar com cartão' }).click({ noWaitAfter: true });
    await loading.promise;
    await writeCard(page, '4000000000000010');
    written.resolve();
    await page.waitForLoadState('load');
    await page.getByRole('button', { name: /^Pagar R\$/ }).click();

    await page.getByRole('heading', PAID).waitFor();
    expect(await chargeOf(link)).toMatchObject({ status: 'PAID', paymentMethod: 'CARD' });
  });

  test('shows an invalid card number beside its field', async () => {
    const page = await open((await newLink()).path);
    await sayWho(page, 'Pagar com cartão');
    await writeCard(page, '4000 0000 0000 0011');

    await page.getByRole('button', { name: /^Pagar R\$/ }).click();

    await page.getByText('Confira o número do cartão.').waitFor();
    expect(await page.evaluate('document.activeElement?.id')).toBe('card-number');
  });

  test('takes a Pix payment without JavaScript', async () => {
    const link = await newLink({ amount: undefined, minAmount: 1_000 });
    const page = await open(link.path, { hasScript: false });

    await page.getByLabel('Quanto você quer pagar?').fill('25,50');
    await sayWho(page);

    expect(await page.getByLabel('Código Pix copia e cola').inputValue()).toMatch(
      /^000201.*6304[0-9A-F]{4}$/,
    );
    const { id, amount } = await chargeOf(link);
    await world.make(`/v1/charges/${id}/simulate-payment`);
    await eventually(async () => {
      await page.reload();
      expect(await page.locator('main').textContent()).toContain('Pagamento confirmado');
    });
    expect(amount).toBe(2_550);
  });

  test('shows an invalid CPF beside its field, keeping the name', async () => {
    const page = await open((await newLink()).path, { refusals: [400] });
    await page.getByLabel('Nome completo').fill(PAYER.payerName);
    await page.getByLabel('CPF ou CNPJ').fill('123');

    await page.getByRole('button', { name: 'Pagar com Pix' }).click();

    await page.getByText('Confira o CPF ou CNPJ.').waitFor();
    expect(await page.getByLabel('Nome completo').inputValue()).toBe(PAYER.payerName);
  });

  test('of one use shows a second buyer the payment', async () => {
    const link = await newLink({ uses: 1, externalId: `pedido-${Date.now()}` });
    const page = await open(link.path);
    await sayWho(page);
    await page.getByText('Aguardando o pagamento').waitFor();
    const { id } = await chargeOf(link);
    const second = await world.visit({ width: 390 });
    await second.page.goto(link.path);
    await sayWho(second.page);
    await second.page.getByText('Aguardando o pagamento').waitFor();

    await world.make(`/v1/charges/${id}/simulate-payment`);

    await page.getByRole('heading', PAID).waitFor();
    await second.page.getByRole('heading', { name: 'Este link já foi pago' }).waitFor();
    await second.leave();
  });

  test('of one use takes the second buyer’s Pix and returns a late first', async () => {
    const link = await newLink({ uses: 1 });
    const page = await open(link.path);
    await sayWho(page);
    await page.getByText('Aguardando o pagamento').waitFor();
    const { txid } = await chargeOf(link);
    const second = await world.visit({ width: 390 });
    await second.page.goto(link.path);
    await second.page.getByText('vale o primeiro pagamento').waitFor();
    const offer = await barriersInModes(second.page);
    await sayWho(second.page);
    await second.page.getByText('Aguardando o pagamento').waitFor();
    await world.make(`/v1/charges/${(await chargeOf(link)).id}/simulate-payment`);
    await second.page.getByRole('heading', PAID).waitFor();

    await world.bank.control(`/pix/${txid}/pay`, {});

    await page.getByText('voltou para a conta de quem pagou').waitFor();
    await page.getByRole('heading', { name: 'Este link já foi pago' }).waitFor();
    expect(offer).toEqual([]);
    await second.leave();
  });

  test('of one use leads its buyer back to the visit', async () => {
    const link = await newLink({ uses: 1 });
    const page = await open(link.path);
    await sayWho(page);
    await page.getByText('Aguardando o pagamento').waitFor();

    await page.goto(link.path);
    await page.getByRole('link', { name: 'Continuar' }).click();
    await page.getByText('Aguardando o pagamento').waitFor();
    await world.make(`/v1/charges/${(await chargeOf(link)).id}/simulate-payment`);
    await page.getByRole('heading', PAID).waitFor();
    await page.goto(link.path);
    await page.getByRole('heading', { name: 'Este link já foi pago' }).waitFor();
    await page.getByRole('link', { name: 'Continuar' }).click();

    await page.getByRole('heading', PAID).waitFor();
  });
}
