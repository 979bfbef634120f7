import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, evidenceForm } from '@plataforma/testing';
import { barriersInModes, sideScrollOf, type Visit } from '@plataforma/testing/browser';
import { anOrder, disputeOf, paidCharge, visitAsDemo, world } from '../support/browser-world.ts';

const WIDTHS = [320, 390, 768, 1280];
const EMPTY_STATES = [
  '/charges?status=CANCELLED',
  '/payment-links?status=INACTIVE',
  '/developers/requests?search=/v1/nada',
];
const PAGES = [
  '/',
  '/charges',
  '/charges/new',
  '/payment-links',
  '/payment-links/new',
  '/balance',
  '/balance/month-end',
  '/refunds',
  '/disputes',
  '/statement',
  '/withdrawals',
  '/withdrawals/new',
  '/destinations',
  '/developers',
  '/developers/keys',
  '/developers/webhooks',
  '/developers/events',
  '/developers/requests',
  '/sandbox',
  '/settings',
  ...EMPTY_STATES,
];
const OBJECTS = [
  'a charge that is to be paid',
  'a charge that is disputed',
  'a charge that was refunded',
  'a dispute that is open',
  'a dispute that is answered',
  'a withdrawal by Pix',
  'a withdrawal by transfer',
  'a payment link',
  'a payment link that is edited',
  'a webhook',
  'a delivery',
] as const;
type Paths = Record<(typeof OBJECTS)[number], string>;

export function testLooks(): void {
  let visit: Visit;
  let paths: Paths;

  beforeAll(async () => {
    for (const amount of [2_500, 129_990]) {
      await paidCharge({ amount });
    }
    const key = { pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' };
    await world.make('/v1/destinations', { type: 'PIX', ...key, label: 'Fornecedor' });
    const pix = await world.make('/v1/withdrawals', { amount: 1_000, ...key });
    const link = await world.make('/v1/payment-links', { description: 'Doação', minAmount: 500 });
    const webhook = await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` });
    paths = {
      ...(await disputes()),
      'a charge that is to be paid': `/charges/${(await world.make('/v1/charges', anOrder())).id}`,
      'a charge that was refunded': `/charges/${await refunded()}`,
      'a withdrawal by Pix': `/withdrawals/${pix.id}`,
      'a withdrawal by transfer': `/withdrawals/${await transfer()}`,
      'a payment link': `/payment-links/${link.id}`,
      'a payment link that is edited': `/payment-links/${link.id}/edit`,
      'a webhook': `/developers/webhooks/${webhook.id}`,
      'a delivery': `/developers/deliveries/${await deliveryTo(webhook.id)}`,
    };
    visit = await visitAsDemo();
  });

  afterAll(() => visit?.close());

  async function refunded() {
    const id = await paidCharge();
    await world.make(`/v1/charges/${id}/refund`, { amount: 1_000, reason: 'Veio uma peça a menos' });
    return id;
  }

  async function disputes() {
    const chargeId = await paidCharge();
    const open = await disputeOf(chargeId);
    const id = await disputeOf(await paidCharge());
    const name = `${'comprovante-de-entrega-'.repeat(4)}1001.pdf`;
    for (const dispute of [open, id]) {
      await world.make('/v1/files', evidenceForm(dispute, { name }));
      await world.make('/v1/files', evidenceForm(dispute));
    }
    const documents = ['https://loja.example/entregas/1001.pdf'];
    await world.make(`/v1/disputes/${id}/evidence`, { description: 'Entregue e assinado.', documents });
    return {
      'a charge that is disputed': `/charges/${chargeId}`,
      'a dispute that is open': `/disputes/${open}`,
      'a dispute that is answered': `/disputes/${id}`,
    };
  }

  async function transfer() {
    const account = { bankCode: '341', branch: '0001', account: '12345-6', accountType: 'CHECKING' };
    const holder = { holderName: 'Maria da Silva', holderDocument: '12345678909' };
    const { id } = await world.make('/v1/destinations', { type: 'BANK_ACCOUNT', ...account, ...holder });
    return (await world.make('/v1/withdrawals', { amount: 1_000, destinationId: id })).id;
  }

  /**
   * Returns a delivery after its first attempt. The attempt has failed because no program listens at the
   * address.
   */
  async function deliveryTo(webhookId: unknown) {
    await world.make(`/v1/webhook-config/${webhookId}/test`);
    return eventually(async () => {
      const [delivery] = await world.list(`/v1/webhook-deliveries?webhookId=${webhookId}`);
      expect(delivery?.attempts).toBeGreaterThan(0);
      return delivery?.id;
    });
  }

  async function open(path: string) {
    const { page } = visit;
    await page.goto(`/test${path === '/' ? '' : path}`);
    await page.locator('#content h1').waitFor();
    await eventually(async () => {
      expect(await page.locator('#content [role=status][aria-label]').count()).toBe(0);
    });
    return page;
  }

  const pages = PAGES.map((path) => [`at ${path}`, () => path] as const);
  const objects = OBJECTS.map((object) => [`of ${object}`, () => paths[object]] as const);
  describe.each([...pages, ...objects])('the page %s', (_which, path) => {
    test('has no accessibility barrier and no sideways scroll', async () => {
      const page = await open(path());

      expect(await barriersInModes(page)).toEqual([]);
      expect(await sideScrollOf(page, WIDTHS)).toEqual([]);
      expect(visit.faults()).toEqual([]);
    });
  });

  test('show the same time in browsers of three zones', async () => {
    const texts: string[] = [];
    for (const timeZone of ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo']) {
      const there = await visitAsDemo({ timeZone });
      await there.page.goto('/test/statement');
      await there.page.locator('main tbody tr').first().waitFor();
      texts.push((await there.page.locator('main tbody').textContent()) ?? '');
      await there.leave();
    }

    expect(new Set(texts).size).toBe(1);
  });
}
