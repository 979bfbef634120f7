import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { anOrder, enterForEach, paidCharge, visitAsDemo, world } from '../support/browser-world.ts';
import { hiddenOf } from '../support/forms.ts';

export function testLists(): void {
  const visit = enterForEach();

  beforeAll(async () => {
    await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` });
    await paidCharge();
  });

  test('a filtered empty list offers to clear its filters once', async () => {
    const { page } = visit;
    await page.goto('/test/charges?status=CANCELLED');
    const clear = page.getByRole('button', { name: 'Limpar filtros' });
    await page.getByRole('heading', { name: 'Nenhuma cobrança com estes filtros' }).waitFor();
    const offers = await clear.count();

    await clear.click();
    await page.locator('main tbody tr').first().waitFor();

    expect([offers, await clear.count()]).toEqual([1, 0]);
  });

  test('a charge without order number is listed by its description', async () => {
    const { page } = visit;
    const payer = { payerName: 'Maria da Silva', payerDocument: '12345678909' };
    for (const externalIdPrefix of [undefined, 'curso-']) {
      const link = await world.make('/v1/payment-links', {
        ...{ description: 'Curso de pão', amount: 2_500, externalIdPrefix },
      });
      const visit = await world.make(`/v1/payment-links/${link.slug}/checkouts`, payer);
      await world.make(`/v1/checkouts/${visit.id}/pix`);
    }

    await page.goto('/test/charges');
    const orders = page.locator('main tbody tr td:nth-child(3)');
    await orders.nth(2).waitFor();

    const shown = (await orders.allTextContents()).slice(0, 3);
    expect(shown).toEqual([
      expect.stringMatching(/^curso-[0-9a-f]{32}$/),
      'Curso de pão',
      expect.stringMatching(/^pedido-/),
    ]);
  });

  test.each([390, 1280])('an event is shown without sideways scroll at %i pixels', async (width) => {
    const { page } = visit;
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/test/developers/events');
    await page.getByRole('button', { name: 'Ver JSON: charge.paid' }).first().click();
    const dialog = page.getByRole('dialog');
    const table = dialog.locator('table');
    await table.locator('tbody tr').first().waitFor();

    const hidden = await hiddenOf(table);
    const code = await dialog.locator('pre').boundingBox();
    const copy = await dialog.getByRole('button', { name: 'Copiar' }).boundingBox();

    expect(hidden).toBe(0);
    expect(copy?.x).toBeGreaterThanOrEqual((code?.x ?? width) + (code?.width ?? width));
  });

  test('a statement explains blocks and found rows', async () => {
    const { page } = visit;
    const externalId = 'pedido-achado';
    await paidCharge({ amount: 40_000, externalId });
    await eventually(async () => {
      expect(await world.list('/v1/transactions?type=FEE&search=pedido-achado')).toHaveLength(1);
    });
    const block = { environment: 'sandbox', amount: 500, reason: 'Ordem judicial' };
    await world.operate('/v1/admin/ledger/blocks', { merchantId: await world.merchantId(), ...block });

    await page.goto('/test/statement?type=DEBIT');
    await page.getByRole('cell', { name: 'Bloqueio', exact: true }).waitFor();
    const text = await page.locator('main table').textContent();
    await page.goto('/test/statement?type=FEE');
    await page.locator('input[name=find]').fill(externalId);
    await page.keyboard.press('Enter');
    await page.getByText(`Fee of Pix charge ${externalId}`).waitFor();

    expect(text).toContain('Pela plataforma');
    expect(text).not.toContain('Blocked');
  });

  test('a stopped refund shows its reason across its card', async () => {
    const { page } = visit;
    const id = await paidCharge({ amount: 6_000 });
    const stop = await world.operate('/v1/admin/stops', {
      what: 'refunds',
      reason: 'incidente 42',
      merchantId: await world.merchantId(),
    });
    await world.make(`/v1/charges/${id}/refund`, { reason: 'Veio uma peça a menos, e o comprador desistiu' });
    await page.goto(`/test/charges/${id}`);
    const notice = page.getByText('Devoluções estão suspensas por enquanto.');
    await notice.waitFor();

    const box = await notice.boundingBox();
    await world.endStop(stop.id);

    expect(box?.width).toBeGreaterThan(200);
    expect(box?.height).toBeLessThan(60);
  });

  test('a missing delivery offers no retry and links to webhooks', async () => {
    const other = await visitAsDemo({ refusals: [401, 404] });
    const { page } = other;
    await page.goto('/test/developers/deliveries/01900000-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'Não encontrado' }).waitFor();

    expect(await page.getByRole('button', { name: 'Tentar de novo' }).count()).toBe(0);
    await page.getByRole('link', { name: '← Webhooks' }).click();
    await page.waitForURL('**/developers/webhooks');
    await other.leave();
  });

  test('a webhook list shows all columns despite long addresses', async () => {
    const { page } = visit;
    const url = `${world.webUrl}/${'um/caminho/bem/longo/'.repeat(8)}`;
    await world.make('/v1/webhook-config', { url });
    await page.goto('/test/developers/webhooks');
    const table = page.locator('main table');
    await table.locator('tbody tr').nth(1).waitFor();

    const hidden = await hiddenOf(table);

    expect(hidden).toBe(0);
  });

  test('a charge stays when its cancellation is dismissed', async () => {
    const { page } = visit;
    const { id } = await world.make('/v1/charges', anOrder());
    await page.goto(`/test/charges/${id}`);
    await page.getByRole('button', { name: 'Cancelar cobrança' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Manter cobrança' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    expect(await world.list(`/v1/charges?status=PENDING&search=${id}`)).toHaveLength(1);
  });
}
