import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { enterForEach, paidCharge, world } from '../support/browser-world.ts';
import { sayWho } from '../support/buyer.ts';
import { withdrawTo } from '../support/forms.ts';

/** The example code from the manual of the Pix QR codes. */
const CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de ' +
  'Tal6008BRASILIA62070503***63041D3D';
/**
 * The code as a mail program might break it into lines. It is too long for the API until line breaks and
 * invisible characters are removed.
 */
const WRAPPED = CODE.replace(/./g, '$&\u200b\u2060\u200e').replace(/.{40}/g, '$&\n');

/** Tests that paste text into a field or type text. */
export function testPasting(): void {
  const visit = enterForEach();
  let paid: unknown;

  beforeAll(async () => {
    paid = await paidCharge({ amount: 900_000 });
  });

  beforeEach(() => visit.context.grantPermissions(['clipboard-read', 'clipboard-write']));

  async function paste(text: string, name = 'amount'): Promise<string> {
    const { page } = visit;
    const field = page.locator(`input[name=${name}]`);
    await field.focus();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('ControlOrMeta+V');
    return (await field.inputValue()).replace(/\s/g, ' ');
  }

  const error = () => visit.page.getByText('Este texto não é um valor em reais.');

  test('fills the amount of a charge or is refused', async () => {
    const { page } = visit;
    await page.goto('/test/charges/new');
    const field = page.locator('input[name=amount]');
    await field.waitFor();

    const pasted = [];
    for (const text of ['10,5', '1500', 'R$ 1.500', '1.234,5', '1,234.50']) pasted.push(await paste(text));
    expect(pasted).toEqual(['R$ 10,50', 'R$ 1.500,00', 'R$ 1.500,00', 'R$ 1.234,50', 'R$ 1.234,50']);

    expect(await paste('15,005')).toBe('R$ 1.234,50');
    await error().waitFor();
    await field.selectText();
    await page.keyboard.type('4990');
    expect((await field.inputValue()).replace(/\s/g, ' ')).toBe('R$ 49,90');
    expect(await error().count()).toBe(0);
  });

  test('fills the bounds of a payment link', async () => {
    const { page } = visit;
    await page.goto('/test/payment-links/new');
    await page.getByRole('button', { name: 'O comprador decide' }).click();

    expect([await paste('10,5', 'minAmount'), await paste('1500', 'maxAmount')]).toEqual([
      'R$ 10,50',
      'R$ 1.500,00',
    ]);
  });

  test('fills the amount of a refund and of a withdrawal', async () => {
    const { page } = visit;
    await page.goto(`/test/charges/${paid}`);
    await page.getByRole('button', { name: 'Devolver', exact: true }).click();
    await page.getByRole('button', { name: 'Outro valor' }).click();
    const refund = await paste('1500');
    await withdrawTo(page, 'ana@exemplo.com.br');
    await page.locator('input[name=amount]').waitFor();

    expect([refund, await paste('R$ 1.500')]).toEqual(['R$ 1.500,00', 'R$ 1.500,00']);
  });

  test('of a wrapped Pix code with invisible characters is read', async () => {
    const { page } = visit;
    await page.goto('/test/withdrawals/new');
    await page.getByRole('button', { name: 'Código Pix' }).click();
    await page.locator('textarea[name=brCode]').focus();
    await page.keyboard.insertText(WRAPPED);
    await page.getByRole('button', { name: 'Ler código' }).click();
    await page.getByText('Fulano de Tal, BRASILIA').waitFor();
  });

  test('fills the amount that a buyer decides', async () => {
    const { page } = visit;
    const { slug } = await world.make('/v1/payment-links', { description: 'Doação' });
    await page.goto(`/pay/l/${slug}`);
    await paste('1.234,5');
    await sayWho(page);

    await page
      .getByText(/R\$\s1\.234,50/)
      .first()
      .waitFor();
  });
}
