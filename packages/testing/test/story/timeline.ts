import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { z } from 'zod';
import { eventually } from '../../src/index.ts';
import { anOrder, type Client, clientOf, subscribeWebhooks } from './client.ts';
import { entry, linesOf, nowOf, orderOf, type Timeline } from './timeline-reading.ts';
import type { Cast } from './world.ts';

const PAYEE = 'fornecedor@sandbox.test';
const LIFE_OF_A_CHARGE = [
  'charges: the charge was created',
  'charges: the payment was recorded',
  'charges: charge.paid was announced',
  'ledger: charge_paid was posted',
  'charges: a refund was requested',
  'ledger: refund was posted',
  'charges: the charge became REFUNDED',
  'charges: charge.refunded was announced',
  'webhooks: charge.refunded was received',
  'webhooks: a delivery of charge.refunded was queued',
];
const DELIVERED = 'webhooks: the delivery became SUCCEEDED';

export function testTimeline(cast: () => Cast): void {
  let world: Cast;
  let merchant: Client;
  let operator: Client;
  let live: Client;
  let unsubscribe: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    world = cast();
    ({ merchant, operator } = world);
    live = clientOf(world.platform.facts.baseUrl, { key: world.platform.facts.demo.liveKey });
    unsubscribe = await subscribeWebhooks(merchant, `${world.shop.url}/hooks?token=segredo`);
  });

  afterEach(() => world.bank.heals());
  afterAll(() => unsubscribe?.());

  async function timelineOf(id: unknown): Promise<Timeline> {
    const { status, body } = await operator.get(`/v1/admin/timeline/${id}`);
    if (status !== 200) throw new Error(`${status}: ${body.error?.message}`);
    return api.readTimeline.data.parse(body.data);
  }

  /**
   * Waits until the timeline contains all these lines. A line is a service and an event, such as `ledger:
   * refund was posted`.
   */
  function complete(id: unknown, awaited: readonly string[]): Promise<Timeline> {
    return eventually(async () => {
      const timeline = await timelineOf(id);
      expect(linesOf(timeline)).toEqual(expect.arrayContaining([...awaited]));
      return timeline;
    });
  }

  async function paid(shop: Client, amount: number): Promise<Record<string, unknown>> {
    const { data } = await shop.post('/v1/charges', anOrder({ amount }));
    await world.bank.control(`/pix/${data.txid}/pay`);
    await eventually(async () => expect((await shop.get(`/v1/charges/${data.id}`)).data.status).toBe('PAID'));
    return data;
  }

  describe('of a charge', () => {
    let chargeId: unknown;
    let timeline: Timeline;

    beforeAll(async () => {
      const charge = await paid(merchant, 8_000);
      chargeId = charge.id;
      await complete(chargeId, [DELIVERED, 'ledger: charge_paid was posted']);
      const reason = 'a pedido de fulano@loja.test, CPF 123.456.789-09';
      const refunded = await merchant.post(`/v1/charges/${chargeId}/refund`, { amount: 3_000, reason });
      expect(refunded.status).toBe(200);
      timeline = await eventually(async () => {
        const latest = await complete(chargeId, LIFE_OF_A_CHARGE);
        expect(linesOf(latest).filter((one) => one === DELIVERED)).toHaveLength(2);
        return latest;
      });
    });

    test('lists all events of every service in order', () => {
      expect(orderOf(timeline, LIFE_OF_A_CHARGE)).toEqual(LIFE_OF_A_CHARGE);
      expect(linesOf(timeline).at(-1)).toBe(DELIVERED);
      expect(timeline.subject).toMatchObject({ kind: 'charge', id: chargeId, status: 'REFUNDED' });
      expect(timeline.sources.map(({ service, state, isCut }) => [service, state, isCut])).toEqual(
        ['charges', 'withdrawals', 'ledger', 'webhooks'].map((service) => [service, 'answered', false]),
      );
      const times = timeline.entries.map(({ at }) => at);
      expect(times).toEqual(times.toSorted());
    });

    test('includes amounts, ledger lines, attempts and traces', () => {
      expect(entry(timeline, 'refund was posted').detail).toMatchObject({
        lines: expect.arrayContaining([{ account: 'clearing:PIX', amount: 3_000 }]),
        transactions: [{ type: 'REFUND', amount: -3_000 }],
      });
      expect(entry(timeline, 'attempt 1 got the status 200').detail).toMatchObject({
        durationMs: expect.any(Number),
      });
      const announced = entry(timeline, 'charge.refunded was announced');
      expect(announced.detail).toMatchObject({ publishedAt: expect.any(String) });
      expect(announced.traceId).toMatch(/^[0-9a-f]{32}$/);
    });

    test('contains no personal data and no secret of a URL', () => {
      const text = JSON.stringify(timeline);

      expect(text).not.toMatch(/Maria da Silva|12345678909|123\.456\.789-09|fulano@loja|segredo/);
      expect(entry(timeline, 'a refund was requested').detail.reason).toBe(
        'a pedido de [e-mail], CPF [document]',
      );
    });

    test('is found by the id of any related object', async () => {
      const { detail: refund } = entry(timeline, 'a refund was requested');
      const { detail: posting } = entry(timeline, 'refund was posted');
      const { detail: delivery } = entry(timeline, 'a delivery of charge.refunded was queued');
      const [transaction] = z.array(z.object({ id: z.string() })).parse(posting.transactions);
      const ids = [refund.refundId, posting.entryId, transaction?.id, delivery.deliveryId, delivery.eventId];

      for (const id of ids) expect((await timelineOf(id)).subject).toMatchObject({ id: chargeId });
    });

    test('includes a dispute with the operator’s decision', async () => {
      const charge = await paid(merchant, 5_000);
      const contested = { chargeId: charge.id, reason: 'FRAUD', description: 'não fui eu' };
      const { data: dispute } = await operator.post('/v1/admin/disputes', contested);
      const end = { outcome: 'MERCHANT', resolution: 'A entrega foi comprovada.' };
      await operator.post(`/v1/admin/disputes/${dispute.id}/resolve`, end);

      const order = [
        'charges: a dispute was opened',
        'charges: dispute.opened was announced',
        'charges: an operator did dispute.open',
        'ledger: dispute_opened was posted',
        'charges: dispute.resolved was announced',
        'ledger: dispute_won was posted',
      ];
      const latest = await complete(dispute.id, [...order, 'webhooks: dispute.resolved was received']);

      expect(latest.subject).toMatchObject({ id: charge.id, status: 'PAID' });
      expect(linesOf(latest)).toEqual(expect.arrayContaining(['charges: the dispute ended']));
      expect(orderOf(latest, [order[0], order[3], order[5]].map(String))).toEqual([
        order[0],
        order[3],
        order[5],
      ]);
    });

    test('names an unavailable service and shows the others’ entries', async () => {
      const { webhooks, charges } = world.platform.services;
      await webhooks.kill();
      const withoutWebhooks = await timelineOf(chargeId);
      await webhooks.start();
      await charges.kill();
      const withoutCharges = await timelineOf(chargeId);
      const unknown = await operator.get(`/v1/admin/timeline/${randomUUID()}`);
      await charges.start();

      const stateOf = ({ sources }: Timeline, name: string) =>
        sources.find(({ service }) => service === name)?.state;
      expect([stateOf(withoutWebhooks, 'webhooks'), stateOf(withoutWebhooks, 'ledger')]).toEqual([
        'unavailable',
        'answered',
      ]);
      expect(orderOf(withoutWebhooks, LIFE_OF_A_CHARGE)).toEqual(LIFE_OF_A_CHARGE.slice(0, -2));
      expect([stateOf(withoutCharges, 'charges'), withoutCharges.subject]).toEqual(['unavailable', null]);
      expect(orderOf(withoutCharges, LIFE_OF_A_CHARGE)).toEqual(
        LIFE_OF_A_CHARGE.filter((one) => !one.startsWith('charges')),
      );
      expect([unknown.status, unknown.body.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(unknown.body.error?.message).toContain('charges');
    });
  });

  describe('of a withdrawal', () => {
    test('lists the approval, the unconfirmed payout and its end', async () => {
      await paid(live, 60_000);
      const order = { amount: 20_000, pixKey: PAYEE, pixKeyType: 'EMAIL' };
      const created = await eventually(async () => {
        const answer = await live.post('/v1/withdrawals', order);
        expect(answer.status).toBe(201);
        return answer.data;
      });
      await world.bank.breaks('payout.create', 'done_then_500');
      await world.bank.breaks('payout.read', 'error500', 100);
      await operator.post(`/v1/admin/withdrawals/${created.id}/approve`);

      const life = [
        'withdrawals: the withdrawal was requested',
        'ledger: withdrawal_created was posted',
        'withdrawals: an operator did withdrawal.approve',
        'withdrawals: the payout was ordered from the provider',
      ];
      const open = await complete(created.id, life);
      await world.bank.heals();
      const end = [
        'withdrawals: the withdrawal became COMPLETED',
        'withdrawals: withdrawal.completed was announced',
        'ledger: withdrawal_completed was posted',
      ];
      const latest = await complete(created.id, [...life, ...end]);

      expect(open.subject).toMatchObject({ kind: 'withdrawal', id: created.id });
      expect(orderOf(latest, [...life, ...end])).toEqual([...life, ...end]);
      expect(entry(latest, 'an operator did withdrawal.approve').detail).toMatchObject({
        before: { status: 'PENDING' },
        after: { status: 'APPROVED' },
        operatorId: expect.any(String),
      });
      expect(JSON.stringify(latest)).not.toContain(PAYEE);
      expect([nowOf(open), nowOf(latest)]).toMatchObject([
        { status: 'PROCESSING', isUnknownAtProvider: true },
        { status: 'COMPLETED', isUnknownAtProvider: false },
      ]);
    });
  });

  describe('of an unknown id', () => {
    test('answers 404, also for webhooks', async () => {
      const [webhook] = (await merchant.get('/v1/webhook-config')).list;
      await merchant.post(`/v1/webhook-config/${webhook?.id}/test`);

      for (const id of [randomUUID(), webhook?.id, 'no-id']) {
        const { status, body } = await operator.get(`/v1/admin/timeline/${id}`);
        expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
      }
    });
  });
}
