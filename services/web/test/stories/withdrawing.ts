import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes } from '@plataforma/testing/browser';
import { enterForEach, paidCharge, world } from '../support/browser-world.ts';
import { withdrawTo } from '../support/forms.ts';

/** The error statuses that these tests cause on purpose. */
const REFUSALS = [401, 404, 422, 429, 503];

export function testWithdrawing(): void {
  const visit = enterForEach({ refusals: REFUSALS });

  beforeAll(async () => {
    await paidCharge({ amount: 90_000 });
  });

  const field = (name: string) => visit.page.locator(`[name=${name}]`);
  const next = () => visit.page.getByRole('button', { name: 'Continuar' }).click();
  const row = (label: string) => visit.page.locator('dl > div', { hasText: label }).locator('dd');

  describe('the type of a Pix key', () => {
    test.each([
      ['maria@exemplo.com.br', 'EMAIL'],
      ['(11) 98765-4321', 'PHONE'],
      ['529.982.247-25', 'CPF'],
      ['34665388000161', 'CNPJ'],
      ['123e4567-e12b-12d1-a456-426655440000', 'EVP'],
      ['12345678909', 'CPF'],
      ['52998224725', ''],
    ])('of %s is recognized as %j', async (key, type) => {
      await visit.page.goto('/test/withdrawals/new');
      await visit.page.getByRole('button', { name: 'Chave Pix' }).click();
      await field('pixKey').fill(key);

      expect(await field('pixKeyType').inputValue()).toBe(type);
    });

    test('must be chosen if two are possible, and can be corrected', async () => {
      const { page } = visit;
      await page.goto('/test/withdrawals/new');
      await page.getByRole('button', { name: 'Chave Pix' }).click();
      await field('pixKey').fill('52998224725');
      await page.getByText('Estes números podem ser um CPF ou um celular. Qual é?').waitFor();
      await next();
      await page.getByText('Escolha o tipo desta chave.').waitFor();

      await field('pixKeyType').selectOption('EVP');
      expect(await page.getByText('Escolha o tipo desta chave.').count()).toBe(0);
      await next();
      await page.getByText('Esta chave não vale para este tipo.').waitFor();
      await field('pixKeyType').selectOption('PHONE');
      expect(await page.getByText('Esta chave não vale para este tipo.').count()).toBe(0);
      await next();

      await field('amount').fill('1500');
      await page.keyboard.press('Enter');
      await page.getByText('+5552998224725').or(page.getByText('52998224725')).waitFor();
    });
  });

  test('a key that does not exist is refused at its field', async () => {
    const { page } = visit;
    await withdrawTo(page, 'invalid@sandbox.test');
    await page.getByText('Esta chave Pix não existe.').waitFor();
    expect(await field('pixKey').getAttribute('aria-invalid')).toBe('true');

    await field('pixKey').fill('maria@exemplo.com.br');

    expect(await field('pixKey').getAttribute('aria-invalid')).toBe('false');
  });

  test('the owner of the key stands above the last button', async () => {
    const { page } = visit;
    await withdrawTo(page, 'company@sandbox.test');
    await field('amount').fill('1500');
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: /^Sacar R/ }).waitFor();
    const texts = ['Titular da chave', 'CPF ou CNPJ', 'Banco'].map((label) => row(label).textContent());
    expect(await Promise.all(texts)).toEqual([
      'Loja do Sandbox Ltda.',
      '34.665.388/0001-61',
      'Banco Sandbox',
    ]);
  });

  test('an owner that can’t be shown stops nobody', async () => {
    const { page } = visit;
    await withdrawTo(page, 'down@sandbox.test');
    await field('amount').fill('1500');
    await page.keyboard.press('Enter');
    await page.getByText('Não deu para mostrar o titular da chave agora.').waitFor();

    await page.getByRole('button', { name: /^Sacar R/ }).click();

    await page.waitForURL(/\/test\/withdrawals\/[0-9a-f-]{36}$/);
  });

  describe.each(['AMOUNT', 'BALANCE'])(
    'a withdrawal of everything in the fee mode %s',
    (withdrawalFeeMode) => {
      beforeAll(async () => {
        const path = `/v1/admin/merchants/${await world.merchantId()}/settings`;
        await world.operate(path, { withdrawalFee: 150, withdrawalFeeMode }, 'PATCH');
        await paidCharge({ amount: 30_000 });
      });

      test('leaves nothing, and a changed balance is shown at the field', async () => {
        const { page } = visit;
        await withdrawTo(page, 'maria@exemplo.com.br');
        await field('amount').waitFor();
        const all = page.getByRole('button', { name: 'Sacar tudo' });
        await eventually(async () => {
          await all.click();
          expect(await row('Tarifa').textContent({ timeout: 1_000 })).toMatch(/1,50/);
          expect(await row('Saldo depois').textContent({ timeout: 1_000 })).toMatch(/^R\$\s0,00$/);
        });
        const { withdrawableBalance } = await world.read('/v1/balance');
        const fee = withdrawalFeeMode === 'BALANCE' ? 150 : 0;
        expect(Number((await field('amount').inputValue()).replace(/\D/g, ''))).toBe(
          Number(withdrawableBalance) - fee,
        );
        await page.getByRole('button', { name: 'Revisar' }).click();
        const send = page.getByRole('button', { name: /^Sacar R/ });
        await send.waitFor();
        await page.route('**/api/v1/quotes', (route) => route.abort());
        const key = { pixKey: 'jose@exemplo.com.br', pixKeyType: 'EMAIL' };
        await world.make('/v1/withdrawals', { amount: 1_000, ...key });
        await page.unroute('**/api/v1/quotes');

        await send.click();

        await page.getByText('O saldo não cobre este valor. Dá para sacar até').waitFor();
        expect(await field('amount').getAttribute('aria-invalid')).toBe('true');
        await all.click();
        await eventually(async () =>
          expect(await field('amount').getAttribute('aria-invalid')).toBe('false'),
        );
        await page.getByRole('button', { name: 'Revisar' }).click();
        await send.click();
        await page.waitForURL(/\/test\/withdrawals\/[0-9a-f-]{36}$/);
        expect(await world.read('/v1/balance')).toMatchObject({ withdrawableBalance: 0 });
      });
    },
  );

  describe('a receipt', () => {
    async function printed(): Promise<string[]> {
      await visit.page.setViewportSize({ width: 1_280, height: 900 });
      await visit.page.emulateMedia({ media: 'print' });
      const selectors = ['nav', '#content article', '#content button'];
      const visible = await Promise.all(
        selectors.map(async (selector) => {
          const [first] = await visit.page.locator(selector).all();
          return (await first?.isVisible()) ? selector : '';
        }),
      );
      return visible.filter(Boolean);
    }

    test('of a withdrawal shows both parties and prints without the frame', async () => {
      const { page } = visit;
      await paidCharge({ amount: 30_000 });
      const key = { pixKey: '52998224725', pixKeyType: 'CPF' };
      const { id } = await world.make('/v1/withdrawals', { amount: 2_000, ...key });
      await page.goto(`/test/withdrawals/${id}`);
      await page.getByRole('link', { name: 'Comprovante' }).click();

      const sheet = page.getByRole('article', { name: 'Pix enviado' });
      await sheet.waitFor();
      const text = await sheet.textContent();
      const { providerTxId } = await world.read(`/v1/withdrawals/${id}`);
      const texts = ['***.982.247-**', 'Favorecido do Sandbox', String(providerTxId), String(id), 'Brasília'];
      expect(texts.filter((part) => !text?.includes(part))).toEqual([]);
      expect(text).toMatch(/CNPJ\s*[\w.]+\/\w{4}-\d\d/);
      expect(text).not.toContain('52998224725');
      expect(await barriersInModes(page)).toEqual([]);
      expect(await printed()).toEqual(['#content article']);
    });

    test.each([
      ['angela@pecanha.example', '***.456.789-**'],
      ['company@sandbox.test', '34.665.388/0001-61'],
    ])('names the document of the owner of %s', async (pixKey, document) => {
      const { page } = visit;
      const { id } = await world.make('/v1/withdrawals', { amount: 2_000, pixKey, pixKeyType: 'EMAIL' });
      await eventually(async () =>
        expect(await world.read(`/v1/withdrawals/${id}`)).toMatchObject({ status: 'COMPLETED' }),
      );
      await page.goto(`/test/withdrawals/${id}/receipt`);

      const sheet = page.getByRole('article', { name: 'Pix enviado' });
      await sheet.getByText(document).waitFor();
      expect(await sheet.textContent()).toContain(pixKey);
    });

    test('of a charge exists once it is paid', async () => {
      const { page } = visit;
      const id = await paidCharge({ amount: 2_500 });
      await eventually(async () =>
        expect(await world.read(`/v1/charges/${id}`)).toMatchObject({ status: 'PAID' }),
      );
      await page.goto(`/test/charges/${id}`);
      await page.getByRole('link', { name: 'Comprovante' }).click();

      const sheet = page.getByRole('article', { name: 'Pagamento recebido' });
      expect(await sheet.textContent()).toContain('Maria da Silva');
      expect(await printed()).toEqual(['#content article']);
    });

    test('of a refund exists once the payer has it', async () => {
      const { page } = visit;
      const id = await paidCharge({ amount: 2_500 });
      await eventually(async () =>
        expect(await world.read(`/v1/charges/${id}`)).toMatchObject({ status: 'PAID' }),
      );
      await world.make(`/v1/charges/${id}/refund`, { amount: 1_000 });
      await page.goto(`/test/charges/${id}`);
      await page.getByRole('link', { name: 'Comprovante' }).nth(1).click();

      const sheet = page.getByRole('article', { name: 'Devolução enviada' });
      expect(await sheet.textContent()).toMatch(/R\$\s10,00.*Maria da Silva/);
    });
  });
}
