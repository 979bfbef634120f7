import { afterEach, expect, test } from '@jest/globals';
import { barriersInModes, type Visit, type VisitOptions } from '@plataforma/testing/browser';
import { anOrder, world } from '../support/browser-world.ts';

export function testBuyer(): void {
  let visit: Visit;

  afterEach(() => visit.leave());

  async function buy(changes: object = {}): Promise<string> {
    const { id } = await world.make('/v1/charges', anOrder({ amount: 4_990, ...changes }));
    return String(id);
  }

  async function open(id: string, options: Partial<VisitOptions> = {}) {
    visit = await world.visit({ width: 390, ...options });
    await visit.page.goto(`/pay/${id}`);
    return visit.page;
  }

  test('sees the payment confirmed without a reload', async () => {
    const id = await buy();
    const page = await open(id);
    await page.getByText('Aguardando o pagamento').waitFor();
    const waiting = await barriersInModes(page);

    await world.make(`/v1/charges/${id}/simulate-payment`);

    await page.getByRole('heading', { name: 'Pagamento confirmado' }).waitFor();
    expect([waiting, await barriersInModes(page)]).toEqual([[], []]);
  });

  test('gets QR code and amount without JavaScript', async () => {
    const page = await open(await buy(), { hasScript: false });

    await page.getByRole('img', { name: /^QR Code do Pix de R\$\s49,90$/ }).waitFor();
    expect(await page.getByLabel('Código Pix copia e cola').inputValue()).toMatch(
      /^000201.*6304[0-9A-F]{4}$/,
    );
    expect(await page.locator('body').textContent()).toMatch(/R\$\s49,90/);
  });

  test('sees an expired code disappear', async () => {
    const page = await open(await buy({ expiresIn: 5 }));

    await page.getByRole('heading', { name: 'O código expirou' }).waitFor({ timeout: 60_000 });
    expect(await page.getByRole('img', { name: /^QR Code/ }).count()).toBe(0);
  });

  test('cannot pay a cancelled charge', async () => {
    const id = await buy();
    await world.remove(`/v1/charges/${id}`);

    const page = await open(id);

    await page.getByRole('heading', { name: 'Cobrança cancelada' }).waitFor();
    expect(await page.getByRole('img', { name: /^QR Code/ }).count()).toBe(0);
  });

  test('with an English browser reads English', async () => {
    const page = await open(await buy(), { language: 'en-US' });

    await page.getByText('Waiting for the payment').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });
}
