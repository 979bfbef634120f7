import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type FakeMerchant } from '../../src/index.ts';
import { anOrder, type Client, subscribeWebhooks } from './client.ts';
import type { Cast } from './world.ts';

/**
 * Tests that a crash during a payment only delays the payment. Single services crash first, and then the
 * whole platform.
 */
export function testDelays(cast: () => Cast): void {
  let world: Cast;
  let merchant: Client;
  let shop: FakeMerchant;
  let unsubscribe: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    world = cast();
    ({ merchant } = world);
    shop = await world.openShop();
    unsubscribe = await subscribeWebhooks(merchant, `${shop.url}/hooks`);
  });

  afterAll(() => unsubscribe?.());

  test('fifty notices of five payments at once credit five times', async () => {
    const before = await merchant.get('/v1/balance');
    const charges = await Promise.all(
      Array.from({ length: 5 }, () => merchant.post('/v1/charges', anOrder({ amount: 1_000 }))),
    );
    for (const { data } of charges) {
      const control = `${world.platform.facts.sandboxControlUrl}/control/pix/${data.txid}/pay`;
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"notify":false}',
      };
      expect((await fetch(control, init)).status).toBe(200);
    }

    const notices = Array.from({ length: 50 }, (_, index) => ({
      pix: [{ txid: charges[index % 5]?.data.txid }],
    }));
    const answers = await Promise.all(
      notices.map((notice) =>
        fetch(world.platform.callbackUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(notice),
        }),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const earned = Number(before.data.totalEarned) + 5_000;
    await eventually(async () => expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(earned));
    await eventually(() => {
      const deliveredIds = shop.deliveries.map(({ body }) => JSON.parse(body.toString()).data.id);
      for (const { data } of charges) expect(deliveredIds.filter((id) => id === data.id)).toHaveLength(1);
    });
    expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(earned);
  });

  test('a ledger crash before the credit only delays it', async () => {
    const before = Number((await merchant.get('/v1/balance')).data.totalEarned);
    await world.platform.services.ledger.kill();

    const charge = await merchant.post('/v1/charges', anOrder({ amount: 700 }));
    const paid = await merchant.post(`/v1/charges/${charge.data.id}/simulate-payment`);
    const unreadable = await merchant.get('/v1/balance');
    await world.platform.services.ledger.start();

    expect(paid.data.status).toBe('PAID');
    expect([unreadable.status, unreadable.body.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(unreadable.headers.get('retry-after')).not.toBeNull();
    await eventually(async () =>
      expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(before + 700),
    );
  });

  test('a webhooks crash only delays the delivery', async () => {
    await world.platform.services.webhooks.kill();

    const charge = await merchant.post('/v1/charges', anOrder());
    await merchant.post(`/v1/charges/${charge.data.id}/simulate-payment`);
    await world.platform.services.webhooks.start();

    const delivery = await shop.waitFor(({ body }) => body.includes(String(charge.data.id)));
    expect(JSON.parse(delivery.body.toString()).event).toBe('charge.paid');
  });

  test('a restarted charges service finds the payment made meanwhile', async () => {
    const before = Number((await merchant.get('/v1/balance')).data.totalEarned);
    const charge = await merchant.post('/v1/charges', anOrder({ amount: 900 }));
    await world.platform.services.charges.kill();
    await fetch(`${world.platform.facts.sandboxControlUrl}/control/pix/${charge.data.txid}/pay`, {
      method: 'POST',
    });

    await world.platform.services.charges.start();

    await eventually(async () => {
      expect((await merchant.get(`/v1/charges/${charge.data.id}`)).data.status).toBe('PAID');
      expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(before + 900);
    });
  });

  test('a restart of the platform changes no balance or charge', async () => {
    const before = await merchant.get('/v1/balance');
    const paid = await merchant.get('/v1/charges?status=PAID');
    const { baseUrl } = world.platform.facts;

    await world.restart();

    expect(world.platform.facts.baseUrl).toBe(baseUrl);
    expect(before.data.totalEarned).toBeGreaterThan(0);
    expect((await merchant.get('/v1/balance')).data).toEqual(before.data);
    expect((await merchant.get('/v1/charges?status=PAID')).body).toEqual(paid.body);
  });
}
