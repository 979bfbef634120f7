import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf, NO_CARD_NAMES } from '../support/client.ts';
import { auditOf, disputeOf } from '../support/dispute.ts';
import { newTenant } from '../support/identity.ts';
import { newOperator, type PaidCharge, sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

const DAY_MS = 86_400_000;
const opened = async (charge: PaidCharge, changes: Record<string, unknown> = {}) =>
  disputeOf(await world.dispute(charge.id, changes));
const resolve = (id: string, outcome: string, operator = newOperator()) =>
  world.operate(`/disputes/${id}/resolve`, { outcome, resolution: 'Entrega comprovada' }, operator);
const audited = async () => (await world.database.query('SELECT id FROM audit_log')).length;

describe('a dispute opened by an operator', () => {
  test('is about the whole charge for seven days', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    const before = Date.now();

    const { status, data } = await world.dispute(charge.id);

    const dispute = disputeOf({ data });
    expect([status, data]).toEqual([
      201,
      {
        id: dispute.id,
        chargeId: charge.id,
        ...charge.tenant,
        amount: 2500,
        reason: 'FRAUD',
        networkReason: 'FRAUD',
        description: 'the payer says it was not them',
        status: 'OPEN',
        deadline: new Date(Date.parse(dispute.createdAt) + 7 * DAY_MS).toISOString(),
        evidence: null,
        files: [],
        createdAt: expect.any(String),
        resolvedAt: null,
        resolution: null,
        refundedAmount: 0,
        debt: null,
      },
    ]);
    expect(Date.parse(dispute.createdAt)).toBeGreaterThanOrEqual(before);
    const disputed = { status: 'DISPUTED', refundedAmount: null, disputeId: dispute.id };
    expect(await charge.now()).toMatchObject(disputed);
  });

  test('is announced with the fields of the contract', async () => {
    const metadata = { loja: 'matriz' };
    const charge = await world.paidCharge({ amount: 2500, externalId: 'pedido-9', metadata });

    const { id, deadline, createdAt } = await opened(charge, { amount: 700 });

    const events = await world.eventsOf(id);
    const { reason, description } = { reason: 'FRAUD', description: 'the payer says it was not them' };
    const expectedDispute = {
      id,
      chargeId: charge.id,
      amount: 700,
      reason,
      description,
      status: 'OPEN',
      deadline,
    };
    expect(events).toMatchObject([
      { type: 'dispute.opened', ...charge.tenant, aggregateId: id, sequence: 1 },
    ]);
    const named = { externalId: 'pedido-9', endToEndId: charge.pix, ...NO_CARD_NAMES, metadata };
    const data = { ...expectedDispute, createdAt, paymentMethod: 'PIX', ...named };
    expect(events[0]?.data).toEqual(data);
    expect(webhookEvents['dispute.opened'].parse(events[0]?.data)).toEqual(data);
    expect(await charge.announced()).toEqual([]);
  });

  test('is about the given amount and deadline, at most the charge', async () => {
    const deadline = '2030-01-02T03:04:05.000Z';
    const [part, tooMuch] = [await world.paidCharge(), await world.paidCharge({ amount: 2500 })];

    expect(await opened(part, { amount: 1, deadline })).toMatchObject({ amount: 1, deadline });
    expect(await opened(tooMuch, { amount: 99_999, deadline: '2030-01-02T00:04:05-03:00' })).toMatchObject({
      amount: 2500,
      deadline,
    });
  });

  test('of a partly refunded charge is about the remaining amount', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    await charge.refund({ amount: 2000 });

    const dispute = await opened(charge, { amount: 2500 });

    expect(dispute).toMatchObject({ amount: 500, status: 'OPEN' });
    expect(await charge.now()).toMatchObject({ status: 'REFUNDED', refundedAmount: 2000 });
  });

  test.each([
    [{ deadline: 'amanhã' }, /^deadline: /],
    [{ deadline: '2020-01-01T00:00:00Z' }, /^deadline: must lie in the future/],
  ])('with %j is a VALIDATION_ERROR that names the field', async (changes, message) => {
    const charge = await world.paidCharge();

    const { status, error } = await world.dispute(charge.id, changes);

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toMatch(message);
    expect((await charge.now()).status).toBe('PAID');
  });

  test('is refused for a charge without money to dispute', async () => {
    const tenant = newTenant();
    const newCharge = () => world.client.newCharge(tenant);
    const [pending, cancelled, expired] = [await newCharge(), await newCharge(), await newCharge()];
    await world.client.cancel(tenant, cancelled.id);
    await world.database.query(`UPDATE charges SET status = 'EXPIRED' WHERE id = $1`, [expired.id]);
    const [refunded, disputed] = [await world.paidCharge({ amount: 2500 }), await world.paidCharge()];
    await refunded.refund({ amount: 2500 });
    await opened(disputed);
    const rows = await audited();

    for (const { id } of [pending, cancelled, expired, refunded, disputed]) {
      expect(await codeOf(world.dispute(id))).toEqual([409, 'INVALID_STATE']);
    }
    const unknown = await world.dispute(newId());

    expect([unknown.status, unknown.error?.code]).toEqual([404, 'NOT_FOUND']);
    expect(await audited()).toBe(rows);
    const { data } = await world.operate(`/disputes?merchantId=${tenant.merchantId}`);
    expect(data).toEqual([]);
  });

  test('is refused while a refund is under way', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    const { returns } = world.provider.book;
    returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
    await charge.refund({ amount: 2000 });

    const { status, error } = await world.dispute(charge.id);
    returns.end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');

    expect([status, error?.code]).toEqual([409, 'REQUEST_IN_PROGRESS']);
    expect(await opened(charge)).toMatchObject({ amount: 500 });
  });
});

describe('a dispute resolved by an operator', () => {
  test.each([
    ['MERCHANT', 'RESOLVED_MERCHANT', { status: 'PAID', refundedAmount: null, refundReason: null }, 0, 0],
    [
      'CUSTOMER',
      'RESOLVED_CUSTOMER',
      { status: 'REFUNDED', refundedAmount: 700, refundReason: 'dispute' },
      700,
      300,
    ],
    ['CANCELLED', 'CANCELLED', { status: 'PAID', refundedAmount: null, refundReason: null }, 0, 0],
  ])('for %s becomes %s and updates the charge', async (outcome, end, expected, refundedAmount, debt) => {
    const charge = await world.paidCharge({ amount: 2500 });
    const dispute = await opened(charge, { amount: 700 });
    world.ledger.reserve(dispute.id, 300);

    const { status, data } = await resolve(dispute.id, outcome);

    const result = { refundedAmount, debt };
    const resolved = {
      ...{ status: end, resolution: 'Entrega comprovada', resolvedAt: expect.any(String) },
      ...result,
    };
    expect([status, data]).toEqual([200, { ...dispute, ...resolved }]);
    expect(await charge.now()).toMatchObject(expected);
    const [, resolvedEvent, ...more] = await world.eventsOf(dispute.id);
    const { id, chargeId, amount, reason, description, deadline, createdAt } = dispute;
    const named = {
      externalId: expect.any(String),
      endToEndId: charge.pix,
      ...NO_CARD_NAMES,
      metadata: {},
    };
    const common = { paymentMethod: 'PIX', ...named };
    const promised = {
      id,
      chargeId,
      amount,
      reason,
      description,
      deadline,
      createdAt,
      ...common,
      ...resolved,
    };
    expect([resolvedEvent?.type, resolvedEvent?.sequence, more]).toEqual(['dispute.resolved', 2, []]);
    expect(resolvedEvent?.data).toEqual(promised);
    expect(webhookEvents['dispute.resolved'].parse(resolvedEvent?.data)).toEqual(promised);
    expect(await charge.announced()).toEqual([]);
    expect([charge.debited(), charge.returned()]).toEqual([[], []]);
  });

  test('as lost has an unknown debt without the ledger’s answer', async () => {
    const dispute = await opened(await world.paidCharge({ amount: 2500 }));
    world.ledger.reserve(dispute.id, null);

    const { status, data } = await resolve(dispute.id, 'CUSTOMER');

    expect(status).toBe(200);
    expect(data).toMatchObject({ status: 'RESOLVED_CUSTOMER', refundedAmount: 2500, debt: null });
    const [, resolvedEvent] = await world.eventsOf(dispute.id);
    expect(resolvedEvent?.data).toMatchObject({ refundedAmount: 2500, debt: null });
  });

  test('as lost waits for the ledger’s record of its opening', async () => {
    const dispute = await opened(await world.paidCharge({ amount: 2500 }));
    world.ledger.reserve(dispute.id, 40, { answersBefore: 2 });

    expect((await resolve(dispute.id, 'CUSTOMER')).data).toMatchObject({ debt: 40 });
  });

  test('as lost adds its amount to an earlier refund', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    await charge.refund({ amount: 2000, reason: 'Não serviu' });
    const { refundedAt } = await charge.now();
    const dispute = await opened(charge);

    await resolve(dispute.id, 'CUSTOMER');

    // The time and the reason are still those of the merchant's refund.
    const refund = { refundedAmount: 2500, refundedAt, refundReason: 'Não serviu' };
    expect(await charge.now()).toMatchObject({ status: 'REFUNDED', ...refund });
  });

  test('as won leaves a partly refunded charge unchanged', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    await charge.refund({ amount: 2000, reason: 'Não serviu' });
    const dispute = await opened(charge);

    await resolve(dispute.id, 'MERCHANT');

    const asBefore = { status: 'REFUNDED', refundedAmount: 2000, refundReason: 'Não serviu' };
    expect(await charge.now()).toMatchObject(asBefore);
  });

  test('as won allows another dispute or refund', async () => {
    const charge = await world.paidCharge({ amount: 2500 });
    await resolve((await opened(charge)).id, 'MERCHANT');

    await resolve((await opened(charge)).id, 'CANCELLED');

    expect((await charge.refund({ amount: 2500 })).status).toBe(200);
  });

  test.each(['MERCHANT', 'CUSTOMER', 'CANCELLED'])('as %s is not resolved again', async (outcome) => {
    const charge = await world.paidCharge();
    const dispute = await opened(charge);
    await resolve(dispute.id, outcome);
    const [before, rows] = [await charge.now(), await auditOf(world, dispute.id)];

    for (const again of ['MERCHANT', 'CUSTOMER', 'CANCELLED']) {
      expect(await codeOf(resolve(dispute.id, again))).toEqual([409, 'INVALID_STATE']);
    }

    expect([await charge.now(), await auditOf(world, dispute.id)]).toEqual([before, rows]);
    expect(await world.eventsOf(dispute.id)).toHaveLength(2);
  });

  test('must exist and needs one of three outcomes', async () => {
    const dispute = await opened(await world.paidCharge());

    const [unknown, wrong] = [await resolve(newId(), 'MERCHANT'), await resolve(dispute.id, 'OPEN')];

    expect([unknown.status, unknown.error?.code]).toEqual([404, 'NOT_FOUND']);
    expect([wrong.status, wrong.error?.message]).toEqual([400, expect.stringMatching(/^outcome: /)]);
  });
});
