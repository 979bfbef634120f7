import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes } from '@plataforma/testing/browser';
import { disputeOf, enterForEach, paidCharge, visitAsDemo, world } from '../support/browser-world.ts';

const PAYER = { payerName: 'José Ângelo Peçanha', payerEmail: 'jose@pecanha.example' };
const PART = 'Devolvida em parte · R$\u00a012,50';

export function testSearching(): void {
  const visit = enterForEach();
  let charge: string;

  beforeAll(async () => {
    charge = await paidCharge({ ...PAYER, amount: 123_456, externalId: 'loja-0042' });
    await eventually(async () => {
      await world.make(`/v1/charges/${charge}/refund`, { amount: 1_250, reason: 'Peça faltando' });
    });
    await eventually(async () => {
      expect((await world.read(`/v1/charges/${charge}`)).status).toBe('REFUNDED');
    });
    const disputed = await paidCharge({ ...PAYER, amount: 8_800, externalId: 'loja-0043' });
    await disputeOf(disputed);
    await world.make('/v1/payment-links', { description: 'Curso do José Ângelo', amount: 4_550 });
    const withdrawal = { amount: 5_000, pixKey: 'jose@pecanha.example', pixKeyType: 'EMAIL' };
    await eventually(() => world.make('/v1/withdrawals', { ...withdrawal, externalId: 'angelo-jose-1' }));
  });

  const option = (name: string | RegExp) => visit.page.getByRole('option', { name });
  const field = () => visit.page.getByRole('combobox', { name: 'Buscar em tudo' });

  test('a search finds every kind by keyboard alone', async () => {
    const { page } = visit;
    await page.goto('/test/settings');
    await page.locator('#content h1').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('angelo JOSE');
    await option(`José Ângelo Peçanha loja-0042 R$\u00a01.234,56 ${PART}`).waitFor();

    const groups = await page.getByRole('listbox').getByRole('group').all();
    const names = await Promise.all(groups.map((group) => group.getAttribute('aria-label')));
    await page.keyboard.press('ArrowUp');
    const last = await page.getByRole('listbox').getByRole('option', { selected: true }).textContent();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    const [id, name] = [await chosen.getAttribute('id'), await chosen.textContent()];
    const active = await field().getAttribute('aria-activedescendant');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/test/charges/${charge}`);

    expect(names).toEqual(['Cobranças', 'Links de pagamento', 'Devoluções', 'Contestações', 'Saques']);
    expect(last).toContain('angelo-jose-1');
    expect([active, name]).toEqual([id, expect.stringContaining('loja-0042')]);
    expect(await page.getByRole('listbox').count()).toBe(0);
  });

  test('Escape closes the results and Enter opens the list of all', async () => {
    const { page } = visit;
    await page.goto('/test/settings');
    await field().fill('R$ 1.234,56');
    await option(/loja-0042/).waitFor();
    const open = await field().getAttribute('aria-expanded');
    await page.keyboard.press('Escape');
    const closed = await field().getAttribute('aria-expanded');
    const text = await field().inputValue();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/charges?search=R%24+1.234%2C56');
    await page.getByRole('cell', { name: 'loja-0042', exact: true }).waitFor();

    expect([open, closed, text]).toEqual(['true', 'false', 'R$ 1.234,56']);
  });

  test('a search without a result says so, and a click opens a result', async () => {
    const { page } = visit;
    await page.goto('/test/settings');
    await field().fill('ninguém com este nome');
    await page.getByText('Nada encontrado para “ninguém com este nome”').waitFor();
    await field().fill('curso do jose');
    await option(/Curso do José Ângelo/).click();
    await page.waitForURL('**/test/payment-links/*');
  });

  test('more results of a kind are one row further', async () => {
    const { page } = visit;
    for (let n = 0; n < 6; n += 1)
      await world.make('/v1/payment-links', { description: `Oficina ${n}`, amount: 4_550 });
    await page.goto('/test/settings');
    await field().fill('oficina');
    await option('Ver mais').waitFor();
    const shown = await page.getByRole('listbox').getByRole('option').count();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/payment-links?search=oficina');
    await page.locator('main tbody tr').nth(5).waitFor();

    expect(shown).toBe(6);
  });

  test('a list that does not answer leaves the other results', async () => {
    const other = await visitAsDemo({ refusals: [503] });
    const { page } = other;
    await page.route('**/api/v1/disputes?*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto('/test/settings');
    await page.getByRole('combobox', { name: 'Buscar em tudo' }).fill('0042');
    await page
      .getByRole('option', { name: /loja-0042/ })
      .first()
      .waitFor();
    await page.getByText('Parte da busca não respondeu.').waitFor();
    await other.leave();
  });

  test.each([1280, 390])('the results have no barriers at %i pixels', async (width) => {
    const { page } = visit;
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/test/settings');
    await page.locator('#content h1').waitFor();
    await field().fill('jose');
    await option(/loja-0042/)
      .first()
      .waitFor();

    expect(await barriersInModes(page)).toEqual([]);
  });

  test('lists show the sums of all rows and the part of a refund', async () => {
    const { page } = visit;
    await page.goto('/test/charges?search=pecanha');
    const totals = page.getByRole('region', { name: 'Totais' });
    await totals.waitFor();
    const { feeAmount } = await world.read(`/v1/charges/${charge}`);
    const charges = await totals.locator('dd').allTextContents();
    await page.goto('/test/refunds?search=loja-0042');
    await page.locator('main tbody').getByText(PART).waitFor();
    const refunds = await totals.locator('dd').allTextContents();
    await page.goto('/test/disputes?search=loja-0043');
    await page.locator('main tbody tr').waitFor();
    const disputes = await totals.locator('dd').allTextContents();
    await page.goto('/test/withdrawals?search=angelo-jose-1');
    await page.locator('main tbody tr').waitFor();

    expect(feeAmount).toBeGreaterThan(0);
    expect(charges.slice(0, 3)).toEqual(['2', 'R$\u00a01.322,56', 'R$\u00a01.322,56']);
    expect(charges[4]).toBe('R$\u00a012,50');
    expect(refunds).toEqual(['1', 'R$\u00a012,50']);
    expect(disputes).toEqual(['1', 'R$\u00a088,00']);
    expect((await totals.locator('dd').allTextContents()).slice(0, 2)).toEqual(['1', 'R$\u00a050,00']);
  });

  test('the buyer’s page names the returned part', async () => {
    const { page } = visit;
    await page.goto(`/pay/${charge}`);

    await page.getByRole('heading', { name: 'Devolvido em parte · R$\u00a012,50' }).waitFor();
  });
}
