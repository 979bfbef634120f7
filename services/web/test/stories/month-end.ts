import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { addDays, dayOf } from '@plataforma/kernel';
import { enterForEach, paidCharge, world } from '../support/browser-world.ts';

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const thisMonth = () => dayOf(new Date(), 'America/Sao_Paulo').slice(0, 7);

export function testMonthEnd(): void {
  const visit = enterForEach();

  const lineOf = (name: string) => visit.page.getByRole('row', { name }).getByRole('cell').last();

  test('leads from opening to closing balance, and says that the month is not over', async () => {
    const { page } = visit;
    await paidCharge({ amount: 7_000 });
    await page.goto('/test/balance');
    await page.getByRole('link', { name: 'Fechamento do mês' }).click();
    await page.getByText('Fechado').waitFor();
    await page.getByLabel('Período').selectOption({ label: 'Este mês' });
    await page.getByText('Parcial').waitFor();
    await page.getByText('Estes valores são parciais.').waitFor();

    const summary = await world.read('/v1/statement/summary?timeZone=America/Sao_Paulo');
    const [opening, net, closing] = [summary.openingBalance, summary.netAmount, summary.closingBalance];
    await lineOf('Saldo final')
      .getByText(reais.format(Number(closing) / 100))
      .waitFor();
    await lineOf('Saldo inicial')
      .getByText(reais.format(Number(opening) / 100))
      .waitFor();
    await lineOf('Líquido das vendas')
      .getByText(reais.format(Number(net) / 100))
      .waitFor();
  });

  test('saves the statement of exactly the chosen month, named by it', async () => {
    const { page } = visit;
    const month = thisMonth();
    await page.goto(`/test/balance/month-end?from=${month}-01&to=${addDays(`${month}-28`, 1)}`);
    await page.getByRole('button', { name: 'Mês anterior' }).click();
    await page.getByRole('button', { name: 'Próximo mês' }).click();
    for (const [button, ending, head] of [
      ['Exportar CSV', 'csv', 'Data e hora (America/Sao_Paulo);'],
      ['Exportar OFX', 'ofx', 'OFXHEADER:100'],
    ] as const) {
      const sent = page.waitForRequest((request) => request.url().includes('/api/v1/statement?'));
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();

      const query = Object.fromEntries(new URL((await sent).url()).searchParams);
      expect(query).toMatchObject({ startDate: `${month}-01`, endDate: expect.stringMatching(`^${month}-`) });
      expect((await saved).suggestedFilename()).toBe(`extrato-${month}.${ending}`);
      const text = await readFile(await (await saved).path(), 'utf8');
      expect(text.replace('\ufeff', '').startsWith(head)).toBe(true);
    }
  });

  test('keeps its lines while the figures arrive', async () => {
    const { page } = visit;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(
      ({ pathname }) => pathname === '/api/v1/statement/summary',
      async (route) => {
        await released;
        await route.continue();
      },
    );
    await page.goto('/test/balance/month-end');
    const closing = page.getByRole('row', { name: 'Saldo final' });
    const before = await closing.boundingBox();
    release();
    await closing.getByText('R$').waitFor();

    expect(await closing.boundingBox()).toEqual(before);
  });

  test('prints the figures and the account without the menu', async () => {
    const { page } = visit;
    await page.goto('/test/balance/month-end');
    await lineOf('Saldo final').getByText('R$').waitFor();
    await page.emulateMedia({ media: 'print' });

    expect(await page.getByRole('row', { name: 'Saldo final' }).isVisible()).toBe(true);
    expect(await page.getByText(/· \d\d\.\d{3}\.\d{3}/).isVisible()).toBe(true);
    for (const name of ['Imprimir', 'Exportar CSV', 'Mês anterior']) {
      expect(await page.getByRole('button', { name, exact: true }).isVisible()).toBe(false);
    }
    expect(await page.getByRole('link', { name: 'Cobranças' }).isVisible()).toBe(false);
  });
}
