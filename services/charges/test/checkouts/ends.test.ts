import { beforeAll, describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import { eventually, merchantUpdated, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, listenAs, startEmitter, worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from '../support/checkout-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() =>
  startCheckoutWorld({
    settings: { METRICS_PORT: String(scraper.port) },
    tuning: { leaseMs: 300 },
  }),
);
const gateway = beforeFile(() => startEmitter(world.brokerUrl));

beforeAll(() => world.stopFirst(gateway));

async function visited(fields: Record<string, unknown> = {}) {
  const { shop, link, buyer } = await world.visited(fields);
  const externalId = await externalIdOf(buyer.id);
  return {
    shop,
    link,
    buyer,
    ofBuyer: { id: buyer.id, paymentLinkId: link.id, slug: link.slug, externalId },
  };
}

async function externalIdOf(id: string): Promise<string> {
  const [row] = await world.database.query<{ external_id: string }>(
    'SELECT external_id FROM checkouts WHERE id = $1',
    [id],
  );
  return row?.external_id ?? '';
}

/** Moves the beginning of visits one day into the past. */
async function letDayPass(...ids: string[]): Promise<void> {
  await world.database.query(
    `UPDATE checkouts SET created_at = created_at - interval '1 day', ends_at = ends_at - interval '1 day'
     WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
}

const announced = async (id: string) =>
  (await world.eventsOf(id)).map(({ type, sequence }) => `${type} ${sequence}`);
const ends = (id: string, events: string[]) =>
  eventually(async () => expect(await announced(id)).toEqual(events));

/** Waits until the scheduler has checked a visit that has not ended. */
const isLookedAt = (id: string) =>
  eventually(async () =>
    expect(
      await world.database.query(
        `SELECT FROM checkouts WHERE id = $1 AND ends_at = created_at + interval '24 hours'
          AND ends_at > now()`,
        [id],
      ),
    ).toHaveLength(1),
  );

describe('a completed checkout', () => {
  test('paid by Pix is announced once, after its charge', async () => {
    const { shop, buyer, ofBuyer } = await visited({ externalId: 'pedido-7', uses: 1 });
    await buyer.byPix();
    await buyer.payCode();

    const { charge } = await buyer.now();
    const [event, ...more] = await world.eventsOf(buyer.id);
    const paid = (await world.eventsOf(charge?.id ?? '')).at(-1);

    expect([paid?.type, [event?.id, paid?.id].sort()]).toEqual(['charge.paid', [paid?.id, event?.id]]);
    expect([event, more]).toMatchObject([{ type: 'checkout.completed', sequence: 1, ...shop }, []]);
    expect(event?.data).toEqual({
      ...ofBuyer,
      ...{ externalId: 'pedido-7', amount: 2500, status: 'COMPLETED', chargeId: charge?.id, metadata: {} },
      ...{ paymentMethod: 'PIX', paidAt: charge?.paidAt },
    });
    expect(webhookEvents['checkout.completed'].parse(event?.data)).toEqual(event?.data);
  });

  test.each(['MERCHANT', 'CUSTOMER'])(
    'paid by card is announced once, even if %s wins a dispute',
    async (outcome) => {
      const { buyer } = await visited();
      const { data } = await buyer.byCard();
      const { charge } = await buyer.now();
      const order = { chargeId: charge?.id, amount: 1000, reason: 'FRAUD', description: 'not theirs' };
      const dispute = await world.operate('/disputes', order);
      const { id = '' } = Object(dispute.data);
      const end = await world.operate(`/disputes/${id}/resolve`, { outcome, resolution: 'as the bank says' });
      await letDayPass(buyer.id);

      expect([data, dispute.status, end.status]).toMatchObject([{ state: 'PAID' }, 201, 200]);
      expect(await announced(buyer.id)).toEqual(['checkout.completed 1']);
    },
  );

  test('is announced once when its code is paid twice', async () => {
    const { buyer } = await visited();
    await buyer.byPix();
    await buyer.payCode();
    world.provider.book.pay(await buyer.txid(), { insists: true });
    await world.client.notify(await buyer.txid());

    expect(await world.paymentsOf((await buyer.now()).charge?.id ?? '')).toHaveLength(2);
    expect(await announced(buyer.id)).toEqual(['checkout.completed 1']);
  });

  test('is announced by the scheduler when its replica did not', async () => {
    const { buyer } = await visited();
    await buyer.byPix();

    await world.database.query(
      `UPDATE charges SET status = 'PAID', paid_at = now(), end_to_end_id = 'E' || txid
        WHERE checkout_id = $1`,
      [buyer.id],
    );

    await ends(buyer.id, ['checkout.completed 1']);
  });
});

describe('an unpaid checkout', () => {
  test('expires once, a day after its start', async () => {
    const { shop, buyer, ofBuyer } = await visited();

    await letDayPass(buyer.id);

    await ends(buyer.id, ['checkout.expired 1']);
    const [event] = await world.eventsOf(buyer.id);
    expect(event).toMatchObject(shop);
    expect(event?.data).toEqual({
      ...ofBuyer,
      ...{ amount: 2500, status: 'EXPIRED', cause: 'TIME_OVER', chargeId: null },
      expiredAt: expect.any(String),
    });
    expect(webhookEvents['checkout.expired'].parse(event?.data)).toEqual(event?.data);
  });

  test('does not expire during a waiting code or card form', async () => {
    const [code, form] = [(await visited()).buyer, (await visited()).buyer];
    const other = (await visited()).buyer;
    await code.byPix();
    await form.openForm();
    await letDayPass(code.id, form.id, other.id);
    await ends(other.id, ['checkout.expired 1']);
    const meanwhile = [await announced(code.id), await announced(form.id)];
    const { charge } = await code.now();

    await world.letTimeRunOut(charge?.id ?? '');
    await world.closeForm(form.id);

    expect(meanwhile).toEqual([[], []]);
    await ends(code.id, ['checkout.expired 1']);
    await ends(form.id, ['checkout.expired 1']);
    expect(await world.eventsOf(code.id)).toMatchObject([{ data: { chargeId: charge?.id } }]);
  });

  test('completes after its expiry when its buyer pays', async () => {
    const { buyer } = await visited();
    await letDayPass(buyer.id);
    await ends(buyer.id, ['checkout.expired 1']);

    await buyer.byPix();
    await buyer.endCode();
    await buyer.byPix();
    await buyer.payCode();

    expect(await announced(buyer.id)).toEqual(['checkout.expired 1', 'checkout.completed 2']);
  });

  test('expires when another buyer takes the link’s last use', async () => {
    const { link, buyer } = await visited({ uses: 1 });
    const other = await world.buyer(link.slug);
    await other.byPix();
    await other.payCode();

    await ends(buyer.id, ['checkout.expired 1']);
    expect(await world.eventsOf(buyer.id)).toMatchObject([{ data: { cause: 'LINK_USED_UP' } }]);
    expect(await announced(other.id)).toEqual(['checkout.completed 1']);
  });

  test('expires with its link, or after its waiting code', async () => {
    const { shop, link, buyer } = await visited();
    const code = await world.buyer(link.slug);
    await code.byPix();

    await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { expiresAt: '2026-01-01' });
    await ends(buyer.id, ['checkout.expired 1']);
    const meanwhile = await announced(code.id);
    await world.letTimeRunOut((await code.now()).charge?.id ?? '');

    await ends(code.id, ['checkout.expired 1']);
    const causes = [...(await world.eventsOf(buyer.id)), ...(await world.eventsOf(code.id))];
    expect(causes).toMatchObject(Array(2).fill({ data: { cause: 'LINK_EXPIRED' } }));
    expect(meanwhile).toEqual([]);
  });

  test('expires with its link by the sandbox’s clock', async () => {
    const in2Days = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const { shop, buyer } = await visited({ expiresAt: in2Days });
    const aheadMs = 3 * 86_400_000;

    await gateway.announce(merchantUpdated(shop.merchantId, { sandboxAheadMs: aheadMs, version: 2 }));

    await ends(buyer.id, ['checkout.expired 1']);
    const [event] = await world.eventsOf(buyer.id);
    expect(event).toMatchObject({ data: { cause: 'LINK_EXPIRED' } });
    const { expiredAt } = Object(event?.data);
    expect(Date.parse(expiredAt)).toBeGreaterThan(Date.parse(in2Days));
  });

  test('does not expire while its link takes payments', async () => {
    const { buyer } = await visited();
    await world.database.query('UPDATE checkouts SET ends_at = now() WHERE id = $1', [buyer.id]);

    await isLookedAt(buyer.id);

    expect(await announced(buyer.id)).toEqual([]);
  });
});

test('a failed checkout expiry rolls back, is counted and retried', async () => {
  const { buyer } = await visited();
  const failed = async () =>
    (await scraper.scrape()).valueOf('plataforma_checkout_ends_failed_total', { what: 'checkout' });
  expect(await failed()).toBe(0);
  await world.database.query(
    `CREATE FUNCTION refuse_ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no end today'; END $$`,
  );
  await world.database.query(
    `CREATE TRIGGER refuse_ends BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.type = 'checkout.expired')
       EXECUTE FUNCTION refuse_ends()`,
  );

  await letDayPass(buyer.id);
  await eventually(async () => expect(await failed()).toBeGreaterThanOrEqual(2));
  const meanwhile = await announced(buyer.id);
  await world.database.query('DROP TRIGGER refuse_ends ON outbox');

  await ends(buyer.id, ['checkout.expired 1']);
  expect(meanwhile).toEqual([]);
});

test('over a thousand checkouts expire once each at two replicas', async () => {
  await world.startReplica({}, { METRICS_PORT: '0' });
  const webhooks = await listenAs('webhooks', world.env.AMQP_URL ?? '');
  world.stopFirst({ stop: webhooks.stop });
  const { shop, link, buyer } = await visited();
  // The visits are copied by SQL, because a thousand visits through the API take too long.
  const rows = await world.database.query<{ id: string }>(
    `INSERT INTO checkouts (id, link_id, environment, external_id, payer_name, payer_document, amount_cents,
      created_at)
     SELECT gen_random_uuid(), link_id, environment, external_id, payer_name, payer_document, amount_cents,
     created_at
     FROM checkouts, generate_series(1, 1200) WHERE id = $1 RETURNING id`,
    [buyer.id],
  );

  await world.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { expiresAt: '2026-01-01' });

  const received = () => webhooks.received.filter(({ merchantId }) => merchantId === shop.merchantId);
  await eventually(() => expect(received().length).toBeGreaterThanOrEqual(1_201));
  expect(
    received()
      .map(({ type, sequence, aggregateId }) => `${type} ${sequence} ${aggregateId}`)
      .sort(),
  ).toEqual([buyer, ...rows].map(({ id }) => `checkout.expired 1 ${id}`).sort());
});

test('a payment at the moment of expiry completes the checkout', async () => {
  const { link } = await visited();
  const buyers = await Promise.all(Array.from({ length: 12 }, () => world.buyer(link.slug)));

  await Promise.all([
    letDayPass(...buyers.map(({ id }) => id)),
    ...buyers.map(async (buyer) => {
      await buyer.byPix();
      await buyer.payCode();
    }),
  ]);

  await eventually(async () => {
    const waiting = await world.database.query(
      'SELECT FROM checkouts WHERE link_id = $1 AND use = $2 AND ends_at IS NOT NULL',
      [link.id, 'USED'],
    );
    expect(waiting).toEqual([]);
  });
  for (const { id } of buyers)
    expect([['checkout.completed 1'], ['checkout.expired 1', 'checkout.completed 2']]).toContainEqual(
      await announced(id),
    );
});
