import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { testDecisions } from './stories/decisions.ts';
import { disputeOf, enterForEach, paidCharge, world } from './support/browser-world.ts';

const DAY_MS = 86_400_000;
const DOCUMENTS = ['https://loja.example/entregas/1001.pdf', 'https://loja.example/conversa.png'];

const visit = enterForEach({ refusals: [401, 409, 503] });

async function contested(amount: number, changes: object = {}) {
  const chargeId = await paidCharge({ amount });
  return { id: await disputeOf(chargeId, changes), chargeId };
}

const decide = (id: string, outcome: string, resolution: string) =>
  world.operate(`/v1/admin/disputes/${id}/resolve`, { outcome, resolution });

describe('a dispute', () => {
  test('with the earliest deadline is listed first and answered once', async () => {
    const { page } = visit;
    const { id } = await contested(7_100, { deadline: new Date(Date.now() + 1.5 * DAY_MS).toISOString() });
    await contested(7_200, { reason: 'NOT_RECEIVED' });
    await page.goto('/test/disputes');
    const rows = page.locator('main tbody tr');
    await rows.nth(1).waitFor();
    const listed = await rows.allTextContents();

    await rows.first().getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'R$ 71,00' }).waitFor();
    await page.getByText('O titular não reconhece a compra.').waitFor();
    await page.getByLabel('O que aconteceu').fill('Entregue e assinado pelo comprador.');
    await page.getByLabel('Links dos documentos').fill('http://loja.example/sem-tls.pdf');
    await page.getByRole('button', { name: 'Enviar defesa' }).press('Enter');
    await page.getByText('Confira este campo').waitFor();
    const focused = await page
      .getByLabel('Links dos documentos')
      .evaluate((field) => field.ownerDocument.activeElement === field);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(DOCUMENTS.join('\n'));
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.getByRole('button', { name: 'Enviar defesa' }).press('Enter');
    await page.getByRole('button', { name: 'Enviar agora' }).press('Enter');

    for (const address of DOCUMENTS) {
      const link = page.getByRole('link', { name: address });
      expect(await link.getAttribute('href')).toBe(address);
      expect(await link.getAttribute('rel')).toContain('noreferrer');
    }
    await page.getByText('Em análise').first().waitFor();
    expect(listed.map((text) => /R\$\s7\d,00/.exec(text)?.[0].replace(/\s/, ' '))).toEqual([
      'R$ 71,00',
      'R$ 72,00',
    ]);
    expect(listed[0]).toContain('1 dia');
    expect(listed[0]).toContain('Fraude');
    expect(focused).toBe(true);
    expect(sent.filter((url) => url.endsWith('/evidence'))).toHaveLength(1);
    expect(await page.getByLabel('O que aconteceu').count()).toBe(0);
    const [answered] = await world.list('/v1/disputes?status=UNDER_REVIEW');
    expect(answered).toMatchObject({
      id,
      evidence: { description: 'Entregue e assinado pelo comprador.', documentCount: 2 },
    });
  });

  test.each([
    { outcome: 'MERCHANT', name: 'Ganha', ofCharge: 'Paga', type: 'DISPUTE_RELEASE' },
    { outcome: 'CUSTOMER', name: 'Perdida', ofCharge: 'Devolvida', type: 'REFUND' },
  ])('when decided shows $name and its money without a reload', async (end) => {
    const { page } = visit;
    const resolution = `Decisão do banco: ${end.outcome}`;
    const { id, chargeId } = await contested(8_300);
    await page.goto(`/test/disputes/${id}`);
    await page.getByText('O valor fica reservado no seu saldo até a decisão.').waitFor();

    await decide(id, end.outcome, resolution);

    await page.getByText(end.name, { exact: true }).waitFor();
    await page.getByText(resolution).waitFor();
    await page.getByText('A contestação terminou antes do envio de uma defesa.').waitFor();
    await page.getByRole('link', { name: 'Ver cobrança' }).press('Enter');
    await page.waitForURL(`**/test/charges/${chargeId}`);
    await page.locator('header').getByText(end.ofCharge, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Ver contestação' }).waitFor();
    await page.goto('/test/disputes');
    await page.getByLabel('Situação').selectOption({ label: end.name });
    await eventually(async () => {
      const links = await page.locator('main tbody a').all();
      expect(await Promise.all(links.map((each) => each.getAttribute('href')))).toEqual([
        `/test/disputes/${id}`,
      ]);
    });
  });

  test('that ends meanwhile refuses the answer and keeps its text', async () => {
    const { page } = visit;
    const { id } = await contested(5_400);
    await page.goto(`/test/disputes/${id}`);
    await page.getByLabel('O que aconteceu').fill('Entregue em mãos.');
    // This read never gets an answer, so the page keeps showing the old state.
    await page.route(`**/api/v1/disputes/${id}`, () => undefined);
    await decide(id, 'CANCELLED', 'O pagador desistiu.');

    await page.getByRole('button', { name: 'Enviar defesa' }).press('Enter');
    await page.getByRole('button', { name: 'Enviar agora' }).press('Enter');

    await page.getByRole('alert').getByText('A situação atual não permite este passo.').waitFor();
    expect(await page.getByLabel('O que aconteceu').inputValue()).toBe('Entregue em mãos.');
  });
});

describe('a dispute of the sandbox', () => testDecisions({ visit, contested }));

describe('a refund', () => {
  test('that is stopped shows its reason and resumes later', async () => {
    const { page } = visit;
    const charge = await paidCharge({ amount: 6_600 });
    const refundStop = { what: 'refunds', reason: 'incidente 42', merchantId: await world.merchantId() };
    const stop = await world.operate('/v1/admin/stops', refundStop);
    await world.make(`/v1/charges/${charge}/refund`, { amount: 1_500, reason: 'Veio uma peça a menos' });
    await page.goto('/test/refunds');
    const row = page.locator('main tbody tr', { hasText: 'Veio uma peça a menos' });
    await row.getByText('Em andamento').waitFor();
    await page.getByLabel('Situação').selectOption({ label: 'Não concluída' });
    await page.getByRole('heading', { name: 'Nenhuma devolução com estes filtros' }).waitFor();
    await page.getByLabel('Situação').selectOption({ label: 'Em andamento' });
    await row.getByRole('link', { name: 'R$ 15,00' }).press('Enter');
    await page.waitForURL(`**/test/charges/${charge}`);
    await page.getByText('Devoluções estão suspensas por enquanto. Esta segue sozinha depois.').waitFor();

    await world.endStop(stop.id);

    await page
      .locator('header')
      .getByText(/^Devolvida em parte · R\$\s15,00$/)
      .waitFor();
    expect(await page.getByText('Devoluções estão suspensas').count()).toBe(0);
    await page.goto('/test/refunds');
    await row.getByText('Devolvida').waitFor();
  });

  test('of an already refunded charge is refused in its dialog', async () => {
    const { page } = visit;
    const charge = await paidCharge({ amount: 4_400 });
    await page.goto(`/test/charges/${charge}`);
    await page.getByRole('button', { name: 'Devolver', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Motivo').fill('Desistiu');
    await world.make(`/v1/charges/${charge}/refund`, {});
    await page.keyboard.press('Enter');

    await dialog.getByRole('alert').getByText('Esta cobrança não pode ser devolvida').waitFor();
    expect(await dialog.evaluate((each) => each.contains(each.ownerDocument.activeElement))).toBe(true);
    expect(await world.list(`/v1/refunds?chargeId=${charge}`)).toHaveLength(1);
    await eventually(async () => expect(await dialog.getByLabel('Motivo').inputValue()).toBe('Desistiu'));
  });
});
