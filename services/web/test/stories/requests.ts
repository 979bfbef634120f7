import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes } from '@plataforma/testing/browser';
import { enterForEach, paidCharge, visitAsDemo, world } from '../support/browser-world.ts';
import { hiddenOf } from '../support/forms.ts';

export function testRequests(): void {
  const visit = enterForEach();
  let chargeId: unknown;
  let withdrawalId: unknown;
  let linkId: unknown;

  beforeAll(async () => {
    chargeId = await paidCharge();
    await eventually(async () => expect(await world.list('/v1/transactions')).not.toEqual([]));
    const to = { pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' };
    ({ id: withdrawalId } = await world.make('/v1/withdrawals', { amount: 500, ...to }));
    ({ id: linkId } = await world.make('/v1/payment-links', { description: 'Pedido 1001', amount: 2_500 }));
    await world.make(`/v1/charges/${chargeId}/refund`, { amount: 9_999_999 }).catch(() => undefined);
    await eventually(async () => {
      for (const id of [chargeId, withdrawalId, linkId])
        expect(await world.list(`/v1/requests?objectId=${id}`)).not.toEqual([]);
      expect(await world.list('/v1/requests?status=4xx')).toHaveLength(1);
    });
  });

  describe('the requests page', () => {
    test('lists requests by API key, and by session when chosen', async () => {
      const { page } = visit;
      await page.goto('/test/developers/requests');
      const rows = page.locator('main tbody');
      await rows.getByText(`POST /v1/charges/${chargeId}/simulate-payment`).waitFor();
      const byKey = (await rows.textContent()) ?? '';
      const beginning = await rows
        .getByText(String(chargeId).slice(0, -8), { exact: true })
        .first()
        .boundingBox();

      await page.getByLabel('Feitas com').selectOption('session');
      await rows.getByText('GET /v1/account').first().waitFor();

      expect(byKey).toContain('POST /v1/withdrawals');
      expect(byKey).not.toContain('/v1/account');
      expect(await hiddenOf(page.locator('main table'))).toBe(0);
      expect(beginning?.width).toBeLessThan(12);
    });

    test('filters refusals and shows their code', async () => {
      const { page } = visit;
      await page.goto('/test/developers/requests');
      await page.getByLabel('Resposta').selectOption('4xx');
      const rows = page.locator('main tbody tr');
      await eventually(async () => expect(await rows.count()).toBe(1));
      const text = (await rows.first().textContent()) ?? '';

      await page.getByRole('button', { name: /Ver detalhes/ }).click();
      const details = await page.getByRole('dialog').textContent();

      expect(text).toContain(`POST /v1/charges/${chargeId}/refund`);
      const [line] = await world.list('/v1/requests?status=4xx');
      expect(text).toContain(line?.errorCode);
      expect(details).toContain(line?.requestId);
    });

    test('finds a request by id and links to its charge', async () => {
      const { page } = visit;
      const [made] = await world.list(`/v1/requests?objectId=${chargeId}&path=/v1/charges/`);
      await page.goto('/test/developers/requests');
      await page.locator('main tbody tr').first().waitFor();
      await page.locator('input[name=find]').focus();
      await page.keyboard.type(String(made?.requestId));
      await page.keyboard.press('Enter');
      await eventually(async () => expect(await page.locator('main tbody tr').count()).toBe(1));

      await page.getByRole('button', { name: /Ver detalhes/ }).focus();
      await page.keyboard.press('Enter');
      const link = page.getByRole('dialog').getByRole('link', { name: String(chargeId) });
      await link.waitFor();
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/charges/${chargeId}`);

      await eventually(async () => expect(await page.getByRole('dialog').count()).toBe(0));
    });

    test('is in English for an English browser', async () => {
      const english = await visitAsDemo({ language: 'en-US' });
      const { page } = english;

      await page.goto('/test/developers/requests');
      await page
        .getByRole('button', { name: /View details/ })
        .first()
        .click();

      const details = page.getByRole('dialog');
      await details.getByText('Bodies, parameter values and IP addresses are not stored.').waitFor();
      expect(await page.getByRole('link', { name: 'Requests' }).count()).toBe(1);
      await english.leave();
    });

    test('has no accessibility barrier in a request’s details', async () => {
      const { page } = visit;
      await page.goto('/test/developers/requests');
      await page
        .getByRole('button', { name: /Ver detalhes/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();

      expect(await barriersInModes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  });

  test.each([
    ['a charge', () => `/charges/${chargeId}`, 'simulate-payment'],
    ['a withdrawal', () => `/withdrawals/${withdrawalId}`, 'POST /v1/withdrawals'],
    ['a payment link', () => `/payment-links/${linkId}`, 'POST /v1/payment-links'],
  ])('of %s appear on its page', async (_what, path, endpoint) => {
    const { page } = visit;
    await page.goto(`/test${path()}`);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Requisições da API' }) });

    await card.getByText(endpoint, { exact: false }).first().waitFor();

    expect(await card.getByRole('button').count()).toBeGreaterThan(0);
  });
}
