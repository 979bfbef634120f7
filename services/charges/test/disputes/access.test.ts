import { describe, expect, test } from '@jest/globals';
import { api, timelinePart } from '@plataforma/contracts';
import { newTenant, worldOfFile } from '@plataforma/testing/world';
import { auditOf, disputeOf } from '../support/dispute.ts';
import { gateway, headerWith } from '../support/identity.ts';
import { newOperator, sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

const order = (chargeId: string) => ({ chargeId, reason: 'FRAUD', description: 'não fui eu', amount: 700 });

describe('an operator', () => {
  test.each(['ADMIN', 'FINANCE'] as const)(
    'with the role %s may open and resolve disputes, audited',
    async (role) => {
      const [operator, second] = [newOperator(role), newOperator(role)];
      const charge = await world.paidCharge({ amount: 2500 });

      const opening = await world.operate('/disputes', order(charge.id), operator);
      const { id } = disputeOf(opening);
      const decision = { outcome: 'CUSTOMER', resolution: 'sem defesa' };
      const resolving = await world.operate(`/disputes/${id}/resolve`, decision, second);

      expect([opening.status, resolving.status]).toEqual([201, 200]);
      expect(await auditOf(world, id)).toEqual([
        {
          operator_id: operator.operatorId,
          action: 'dispute.open',
          before: { chargeStatus: 'PAID' },
          after: { chargeStatus: 'DISPUTED', amount: 700 },
          reason: 'não fui eu',
        },
        {
          operator_id: second.operatorId,
          action: 'dispute.resolve',
          before: { status: 'OPEN' },
          after: { status: 'RESOLVED_CUSTOMER' },
          reason: 'sem defesa',
        },
      ]);
    },
  );

  test('does not resolve a dispute that they opened, unless they are the single one', async () => {
    const operator = newOperator('FINANCE');
    const { id: operatorId, role } = { id: operator.operatorId, role: 'FINANCE' as const };
    const charge = await world.paidCharge();
    const { id } = disputeOf(await world.operate('/disputes', order(charge.id), operator));
    const decision = { outcome: 'CUSTOMER', resolution: 'sem defesa' };
    const resolve = () => world.operate(`/disputes/${id}/resolve`, decision, operator);

    world.stopControls.keepOnly({ operatorId, role, isSingle: false });
    expect(await resolve()).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    world.stopControls.keepOnly({ operatorId, role, isSingle: true });
    expect(await resolve()).toMatchObject({ status: 200, data: { status: 'RESOLVED_CUSTOMER' } });
    world.stopControls.keepOnly();
  });

  test('needs a second one for a decision above the sums of the day', async () => {
    const tenant = newTenant('production');
    const charge = await world.paidCharge({ amount: 2500 }, { tenant });
    const { id } = disputeOf(await world.operate('/disputes', order(charge.id)));
    const [first, second] = [newOperator(), newOperator()];
    world.gateway.allowAlone(false);
    const createdAt = new Date(0).toISOString();
    world.stopControls.keepOnly(
      ...[first, second].map(({ operatorId }) => ({
        ...{ operatorId, role: 'FINANCE' as const, createdAt, createdBy: null, isSingle: false },
      })),
    );

    const decision = { outcome: 'CUSTOMER', resolution: 'sem defesa' };
    const answer = await world.operate(`/disputes/${id}/resolve`, decision, first);
    const proposal = api.approveProposal.data.parse(answer.data);
    const approve = (operator: typeof first) =>
      world.operate(`/proposals/${proposal.id}/approve`, {}, operator);

    expect([answer.status, proposal.effect]).toEqual([202, expect.stringContaining('R$ 7.00')]);
    expect(await approve(first)).toMatchObject({ status: 403 });
    expect(await approve(second)).toMatchObject({ status: 200, data: { status: 'EXECUTED' } });
    expect((await auditOf(world, id)).at(-1)).toMatchObject({
      ...{ operator_id: second.operatorId, action: 'dispute.resolve' },
      after: { status: 'RESOLVED_CUSTOMER', proposedBy: first.operatorId },
    });
    const path = `/internal/timeline?ids=${charge.id}`;
    const timeline = await world.client.send(path, {
      method: 'GET',
      headers: headerWith(gateway.sign({ kind: 'service' }, 'charges')),
    });
    expect(timelinePart.parse(timeline.data).entries).toContainEqual(
      expect.objectContaining({ kind: 'proposal', what: 'an operator proposed dispute.resolve' }),
    );
    world.gateway.allowAlone(true);
    world.stopControls.keepOnly();
  });

  test('finds disputes by merchant, environment and status, newest first', async () => {
    const charge = await world.paidCharge();
    const { merchantId } = charge.tenant;
    const won = disputeOf(await world.dispute(charge.id));
    await world.operate(`/disputes/${won.id}/resolve`, { outcome: 'MERCHANT', resolution: 'x' });
    const open = disputeOf(await world.dispute(charge.id));

    const idsOf = async (filter: string) => {
      const { data } = await world.operate(`/disputes?merchantId=${merchantId}${filter}`);
      return Array.isArray(data) ? data.map(({ id }) => id) : data;
    };

    expect(await idsOf('')).toEqual([open.id, won.id]);
    expect(await idsOf('&status=OPEN')).toEqual([open.id]);
    expect(await idsOf('&status=RESOLVED_MERCHANT')).toEqual([won.id]);
    expect(await idsOf('&environment=production')).toEqual([]);
    expect(await idsOf('&page=2&limit=1')).toEqual([won.id]);
  });

  test('finds undecided disputes after their deadline', async () => {
    const charge = await world.paidCharge();
    const { merchantId } = charge.tenant;
    const deadline = '2026-01-01T00:00:00.000Z';
    const decided = disputeOf(await world.dispute(charge.id));
    await world.operate(`/disputes/${decided.id}/resolve`, { outcome: 'MERCHANT', resolution: 'x' });
    const late = disputeOf(await world.dispute(charge.id));
    await world.database.query('UPDATE disputes SET deadline = $2 WHERE charge_id = $1', [
      charge.id,
      deadline,
    ]);
    const other = await world.paidCharge({}, { tenant: charge.tenant });
    await world.dispute(other.id);

    const overdue = await world.operate(`/disputes?overdue=true&merchantId=${merchantId}`);
    const all = await world.operate(`/disputes?merchantId=${merchantId}`);

    expect(overdue.data).toMatchObject([{ id: late.id, deadline }]);
    expect([overdue.meta, all.meta]).toMatchObject([{ total: 1 }, { total: 3 }]);
  });
});
