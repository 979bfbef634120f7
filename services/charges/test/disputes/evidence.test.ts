import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf } from '../support/client.ts';
import { disputeOf } from '../support/dispute.ts';
import { type PaidCharge, sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

const evidence = {
  description: 'A mercadoria foi entregue e assinada.',
  documents: ['https://loja.example/nota.pdf', 'https://loja.example/entrega.jpg'],
};

async function disputed(changes: Record<string, unknown> = {}) {
  const charge = await world.paidCharge();
  const { merchantId, environment, ...dispute } = disputeOf(await world.dispute(charge.id, changes));
  return { charge, dispute };
}
const send = ({ tenant }: PaidCharge, id: string, body: unknown = evidence) =>
  world.call(tenant, `/v1/disputes/${id}/evidence`, body);

const longAddress = (_: unknown, index: number) => `https://loja.example/${index}/`.padEnd(2_000, 'x');

describe('a merchant', () => {
  test('lists and reads the disputes of its charges', async () => {
    const { charge, dispute } = await disputed();
    const other = await world.paidCharge({}, { tenant: charge.tenant });
    const newer = disputeOf(await world.dispute(other.id));

    const [list, one] = [
      await world.call(charge.tenant, '/v1/disputes'),
      await world.call(charge.tenant, `/v1/disputes/${dispute.id}`),
    ];

    expect([one.status, one.data]).toEqual([200, dispute]);
    const { files: _inEach, ...listed } = dispute;
    expect(list.data).toMatchObject([{ id: newer.id }, listed]);
    expect(list.data).not.toMatchObject([{ files: [] }, { files: [] }]);
    expect(list.meta).toEqual({ total: 2, page: 1, limit: 20, pages: 1 });
  });

  test('gets short lists despite long evidence', async () => {
    const { charge, dispute } = await disputed();
    const documents = Array.from({ length: 20 }, longAddress);
    expect(await send(charge, dispute.id, { ...evidence, documents })).toMatchObject({ status: 200 });

    const [list, all, one] = [
      await world.call(charge.tenant, '/v1/disputes'),
      await world.operate(`/disputes?merchantId=${charge.tenant.merchantId}`),
      await world.call(charge.tenant, `/v1/disputes/${dispute.id}`),
    ];

    const { description } = evidence;
    const { files: _inEach, ...listed } = dispute;
    const short = {
      id: dispute.id,
      evidence: { description, documentCount: 20, sentAt: expect.any(String) },
      externalId: expect.stringMatching(/^pedido-/),
      paymentMethod: 'PIX',
    };
    expect([list.data, all.data]).toEqual([
      [{ ...listed, status: 'UNDER_REVIEW', ...short, payerName: 'Maria da Silva' }],
      [{ ...listed, status: 'UNDER_REVIEW', ...short, ...charge.tenant }],
    ]);
    expect(one.data).toMatchObject({ evidence: { documents } });
  });

  test('finds disputes by status', async () => {
    const { charge, dispute } = await disputed();
    await send(charge, dispute.id);
    const other = await world.paidCharge({}, { tenant: charge.tenant });
    const open = disputeOf(await world.dispute(other.id));

    const found = async (status: string) =>
      (await world.call(charge.tenant, `/v1/disputes?status=${status}`)).data;

    expect(await found('OPEN')).toMatchObject([{ id: open.id }]);
    expect(await found('UNDER_REVIEW')).toMatchObject([{ id: dispute.id }]);
    expect(await found('CANCELLED')).toEqual([]);
    const { status } = await world.call(charge.tenant, '/v1/disputes?status=CLOSED');
    expect(status).toBe(400);
  });
});

describe('evidence', () => {
  test('makes the dispute UNDER_REVIEW and is stored with it', async () => {
    const { charge, dispute } = await disputed();

    const { status, data } = await send(charge, dispute.id);

    const reviewed = {
      ...dispute,
      status: 'UNDER_REVIEW',
      evidence: { ...evidence, sentAt: expect.any(String) },
    };
    expect([status, data]).toEqual([200, reviewed]);
    expect((await world.call(charge.tenant, `/v1/disputes/${dispute.id}`)).data).toEqual(reviewed);
    expect((await charge.now()).status).toBe('DISPUTED');
    expect(await world.eventsOf(dispute.id)).toMatchObject([
      { type: 'dispute.opened', sequence: 1 },
      {
        ...charge.tenant,
        type: 'dispute.updated',
        sequence: 2,
        data: {
          ...{ id: dispute.id, chargeId: charge.id, endToEndId: charge.pix, deadline: dispute.deadline },
          ...{ status: 'UNDER_REVIEW', evidenceSentAt: expect.any(String) },
        },
      },
    ]);
  });

  test('may be text only', async () => {
    const { charge, dispute } = await disputed();

    const { status, data } = await send(charge, dispute.id, { description: 'Foi entregue.' });

    expect([status, data]).toMatchObject([
      200,
      { evidence: { description: 'Foi entregue.', documents: [] } },
    ]);
  });

  test('is accepted once', async () => {
    const { charge, dispute } = await disputed();
    await send(charge, dispute.id);

    const { status, error } = await send(charge, dispute.id, { description: 'E mais isto.' });

    expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);
    const { data } = await world.call(charge.tenant, `/v1/disputes/${dispute.id}`);
    expect(data).toMatchObject({ evidence });
    expect(await world.eventsOf(dispute.id)).toHaveLength(2);
  });

  test('is refused after the deadline or the resolution', async () => {
    const late = await disputed();
    await world.database.query(`UPDATE disputes SET deadline = now() - interval '1 s' WHERE id = $1`, [
      late.dispute.id,
    ]);
    const ended = await disputed();
    const decision = { outcome: 'MERCHANT', resolution: 'x' };
    await world.operate(`/disputes/${ended.dispute.id}/resolve`, decision);

    for (const { charge, dispute } of [late, ended]) {
      expect(await codeOf(send(charge, dispute.id))).toEqual([409, 'INVALID_STATE']);
      const { data } = await world.call(charge.tenant, `/v1/disputes/${dispute.id}`);
      expect(data).toMatchObject({ evidence: null });
    }
  });

  test('does not block a decision', async () => {
    const { charge, dispute } = await disputed();
    await send(charge, dispute.id);

    const decision = { outcome: 'CUSTOMER', resolution: 'x' };
    const { status, data } = await world.operate(`/disputes/${dispute.id}/resolve`, decision);

    expect([status, data]).toMatchObject([200, { status: 'RESOLVED_CUSTOMER', evidence }]);
  });

  test.each([
    [{ documents: ['http://loja.example/nota.pdf'] }, /^documents\.0: must be https/],
    [{ documents: ['javascript:alert(1)'] }, /^documents\.0: /],
    [{ documents: ['https://loja.example\\@nota.example'] }, /^documents\.0: must be https/],
    [{ documents: ['https:loja.example'] }, /^documents\.0: must be https/],
    [{ documents: ['https://loja.example/\u0001nota.pdf'] }, /^documents\.0: must be https/],
    [{ documents: ['nota.pdf'] }, /^documents\.0: /],
    [{ documents: [`https://loja.example/${'x'.repeat(2048)}`] }, /^documents\.0: /],
    [{ documents: Array(21).fill('https://loja.example/x') }, /^documents: must have at most 20/],
    [{ documents: 'https://loja.example/x' }, /^documents: must be a list/],
    [{ description: '' }, /^description: is required/],
    [{ description: 'x'.repeat(256) }, /^description: must have at most 255/],
  ])('with %j is a VALIDATION_ERROR that names the field', async (changes, message) => {
    const { charge, dispute } = await disputed();

    const { status, error } = await send(charge, dispute.id, { ...evidence, ...changes });

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toMatch(message);
    expect((await world.call(charge.tenant, `/v1/disputes/${dispute.id}`)).data).toEqual(dispute);
  });
});
