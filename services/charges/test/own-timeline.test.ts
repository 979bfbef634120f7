import { describe, expect, test } from '@jest/globals';
import { api, type ChargeTimelineView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from './support/identity.ts';
import { sharedRefundWorld } from './support/refund-world.ts';
import { comesTo } from './support/unmatched.ts';

const world = worldOfFile(sharedRefundWorld);

async function lifeOf(tenant: Tenant, id: string): Promise<ChargeTimelineView> {
  return api.readChargeTimeline.data.parse((await world.call(tenant, `/v1/charges/${id}/timeline`)).data);
}
const stepsIn = ({ steps }: ChargeTimelineView) => steps.map(({ what }) => what);

describe('a charge’s timeline for its merchant', () => {
  test('begins with the creation and waits for the payment', async () => {
    const tenant = newTenant();
    const { id, createdAt, expiresAt } = await world.client.newCharge(tenant);

    expect(await lifeOf(tenant, id)).toEqual({
      chargeId: id,
      status: 'PENDING',
      waitingFor: { what: 'payment', since: createdAt, until: expiresAt },
      steps: [
        { at: createdAt, what: 'created', objectId: null, amount: 2500, reason: null, endToEndId: null },
      ],
    });
  });

  test('shows the cancellation', async () => {
    const tenant = newTenant();
    const { id } = await world.client.newCharge(tenant);
    await world.client.cancel(tenant, id);

    const life = await lifeOf(tenant, id);

    expect([life.status, life.waitingFor]).toEqual(['CANCELLED', null]);
    expect(stepsIn(life)).toEqual(['created', 'cancelled']);
  });

  test('shows payment, returned payment and refund in order', async () => {
    const charge = await world.paidCharge();
    const second = world.provider.book.pay(charge.txid, { insists: true })[0]?.endToEndId ?? '';
    await world.client.notify(charge.txid);
    const { id } = await comesTo(world, second, 'RETURNED');
    world.provider.book.returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
    await charge.refund({ amount: 900, reason: 'Não serviu' });
    const open = await lifeOf(charge.tenant, charge.id);
    world.provider.book.returns.end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');

    const life = await lifeOf(charge.tenant, charge.id);

    expect(open.waitingFor).toEqual({ what: 'refund', since: expect.any(String), until: null });
    expect([life.status, life.waitingFor]).toEqual(['REFUNDED', null]);
    expect(stepsIn(life).toSorted()).toEqual([
      ...['created', 'paid', 'refund_accepted', 'refund_requested', 'refunded'],
      ...['unexpected_payment_received', 'unexpected_payment_returned'],
    ]);
    const step = (what: string) => life.steps.find((one) => one.what === what);
    expect(step('paid')).toMatchObject({ amount: 2500, endToEndId: charge.pix });
    expect(step('refund_requested')).toMatchObject({ amount: 900, reason: 'Não serviu' });
    const cameBack = { objectId: id, endToEndId: second, reason: 'DUPLICATE' };
    expect(step('unexpected_payment_received')).toMatchObject(cameBack);
    const returnOf = (pix: string) => world.provider.book.returns.of(pix)[0]?.rtrId;
    expect(step('unexpected_payment_returned')?.endToEndId).toBe(returnOf(second));
    expect(step('refunded')?.endToEndId).toBe(returnOf(charge.pix));
    expect(life.steps.map(({ at }) => at)).toEqual(life.steps.map(({ at }) => at).toSorted());
  });

  test('shows the dispute’s stages without the operator’s text', async () => {
    const charge = await world.paidCharge();
    await world.dispute(charge.id, { amount: 700 });
    const opened = await lifeOf(charge.tenant, charge.id);
    const disputeId = (await charge.now()).disputeId ?? '';
    const description = 'entregue ao comprador';
    await world.call(charge.tenant, `/v1/disputes/${disputeId}/evidence`, { description });
    const answered = await lifeOf(charge.tenant, charge.id);
    const resolution = 'nota interna do operador';
    await world.operate(`/disputes/${disputeId}/resolve`, { outcome: 'MERCHANT', resolution });

    const ended = await lifeOf(charge.tenant, charge.id);

    expect(opened.waitingFor).toMatchObject({ what: 'evidence', until: expect.any(String) });
    expect(answered.waitingFor).toMatchObject({ what: 'decision', until: null });
    expect([ended.status, ended.waitingFor]).toEqual(['PAID', null]);
    expect(stepsIn(ended).slice(-3)).toEqual(['dispute_opened', 'evidence_sent', 'dispute_resolved']);
    expect(ended.steps.at(-1)).toMatchObject({ objectId: disputeId, reason: 'RESOLVED_MERCHANT' });
    expect(JSON.stringify(ended)).not.toContain(resolution);
  });

  test('is found by the charge’s own id only', async () => {
    const charge = await world.paidCharge();
    await charge.refund();
    const [refund] = await charge.refunds();

    const { status } = await world.call(charge.tenant, `/v1/charges/${refund?.id}/timeline`);

    expect(status).toBe(404);
  });
});
