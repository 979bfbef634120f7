import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, sideScrollOf, type Visit } from '@plataforma/testing/browser';
import { anOrder, disputeOf, paidCharge, send, visitAsDemo, world } from '../support/browser-world.ts';
import { withdrawTo } from '../support/forms.ts';

type Page = Visit['page'];

const APPROVED_IN_TEST = 'No modo de teste, um Pix em um segundo';
const LONGER_THAN_A_POLL_MS = 16_000;

async function advance(page: Page, days: string): Promise<void> {
  await page.goto('/test/sandbox');
  await page.getByLabel('Adiantar', { exact: true }).fill(days);
  await page.getByRole('button', { name: 'Adiantar relógio' }).press('Enter');
  await page.getByText('Relógio adiantado').first().waitFor();
}

export function testClock(visit: Visit): void {
  test('advances once for two clicks and expires a charge', async () => {
    const { page } = visit;
    const { id } = await world.make('/v1/charges', anOrder({ expiresIn: 3_600 }));
    await page.goto('/test/sandbox');
    await page.getByText('igual ao tempo real').waitFor();
    await page.getByLabel('Adiantar', { exact: true }).fill('0');
    await page.keyboard.press('Enter');
    await page.locator('[name=count][aria-invalid="true"]').first().waitFor();
    await page.getByLabel('Adiantar', { exact: true }).fill('49');
    await page.getByLabel('Unidade').selectOption('horas');
    await page.getByRole('button', { name: 'Adiantar relógio' }).dblclick();

    await page.getByText('adiantado 2 dias e 1 hora').waitFor();
    expect((await world.read('/v1/sandbox/clock')).aheadSeconds).toBe(49 * 3_600);
    await eventually(async () => expect((await world.read(`/v1/charges/${id}`)).status).toBe('EXPIRED'));
    expect(await barriersInModes(page)).toEqual([]);
    expect(await sideScrollOf(page, [320, 390, 768, 1280])).toEqual([]);
  });

  test('dates deadlines, keys and periods, but not requests', async () => {
    const { page } = visit;
    const rows = page.locator('main tbody tr');
    const rowOf = (id: unknown) => rows.filter({ has: page.locator(`a[href$="${id}"]`) });
    const recent = rows.filter({ hasText: /agora|há/ });
    const { now } = await world.read('/v1/sandbox/clock');
    const expiresAt = new Date(Date.parse(String(now)) + 10 * 86_400_000).toISOString();
    const key = { name: 'que termina', environment: 'sandbox', expiresAt };
    await send(visit, 'POST', '/api/v1/api-keys', key);
    const late = await disputeOf(await paidCharge({ amount: 9_000 }));
    await advance(page, '30');
    const sale = await paidCharge({ amount: 9_000 });

    await page.getByRole('link', { name: 'Início' }).click();
    await page.locator('p', { hasText: 'Volume recebido' }).getByText('R$ 90,00').waitFor();
    await page.goto('/test/charges');
    await page.getByLabel('Período').selectOption('Hoje');
    await recent.and(rowOf(sale)).waitFor();
    await eventually(async () => expect(await rows.count()).toBe(1));
    const open = await disputeOf(sale);
    await page.goto('/test/disputes');
    await rowOf(open).getByText('6 dias', { exact: true }).waitFor();
    await rowOf(late).getByText('prazo encerrado').waitFor();
    await page.goto(`/test/disputes/${late}`);
    await page.getByText('O prazo terminou sem defesa.').waitFor();
    await page.goto('/test/developers/keys');
    await rows.filter({ hasText: 'que termina' }).getByText('Expirada').waitFor();
    await page.goto('/test/developers/requests');
    await recent.first().waitFor();
  });

  test('updates the end of a daily limit in all tabs', async () => {
    const limit = { dailyWithdrawalLimit: 123_456 };
    await world.operate(`/v1/admin/merchants/${await world.merchantId()}/settings`, limit, 'PATCH');
    const other = await visitAsDemo();
    await other.page.clock.install();
    const tab = await visit.context.newPage();
    await tab.addInitScript('globalThis.setInterval = () => 0');
    const untilIn = (page: Page) => page.locator('dl > div', { hasText: 'Restante hoje' }).locator('time');
    const shows = async (page: Page, where: 'sandbox' | 'production') => {
      const { data } = await (await visit.context.request.get('/api/v1/account')).json();
      const { today } = data.limits;
      const { until } = where === 'sandbox' ? today.sandbox : today;
      await eventually(async () => expect(await untilIn(page).getAttribute('datetime')).toBe(until));
    };
    for (const page of [tab, other.page]) {
      await page.goto('/test/settings');
      await shows(page, 'sandbox');
      await page.getByText(APPROVED_IN_TEST).waitFor();
    }

    await advance(visit.page, '2');
    await shows(tab, 'sandbox');
    await world.make('/v1/sandbox/clock', { advance: 'P1D' });
    await other.page.clock.fastForward(LONGER_THAN_A_POLL_MS);
    await shows(other.page, 'sandbox');

    const until = String(await untilIn(other.page).textContent());
    await tab.goto('/settings');
    await shows(tab, 'production');
    expect(await tab.getByText(APPROVED_IN_TEST).count()).toBe(0);
    expect(await untilIn(tab).textContent()).not.toBe(until);
    await withdrawTo(other.page, 'ana@exemplo.com.br');
    await other.page.getByText(/Limite restante hoje: R\$\s1\.234,56/).waitFor();
    await other.page.getByText(`até ${until}`).waitFor();
    await other.leave();
  });
}
