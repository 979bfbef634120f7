import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { api, timelinePart } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { agreeingWorld, type Followed } from '../payout/support/payouts.ts';
import { bankBody } from '../support/destination-bodies.ts';
import { endsOf } from '../support/ends-of.ts';
import { operatorHeader, serviceHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';
import { auditOf, pendingTed } from './support/states.ts';

const world = agreeingWorld(startWorld);

async function sent(): Promise<Followed> {
  const withdrawal = await pendingTed(world, world.newMerchant({ withdrawalFee: 800 }));
  await world.client.approve(withdrawal.id, newId());
  await withdrawal.becomes('PROCESSING');
  return withdrawal;
}

const { type: _type, ...account } = bankBody;
const fields = {
  ...{ amount: 15_000, fee: 800, netAmount: 14_200, method: 'TED' },
  ...{ pixKey: null, pixKeyType: null, bankAccount: account, externalId: null },
};

describe('a TED', () => {
  test('waits for an operator, then for a manual transfer', async () => {
    const withdrawal = await pendingTed(world);
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ status: 'PENDING', next_check_at: null });

    await world.client.approve(withdrawal.id, newId());
    await withdrawal.becomes('PROCESSING');

    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null, provider_tx_id: null });
    expect(world.bank.requests).toEqual([]);
    expect(await world.eventsOf(withdrawal.id)).toMatchObject([
      { type: 'withdrawal.processing', sequence: 2, data: { method: 'TED', status: 'PROCESSING' } },
    ]);
  });

  test('is completed with the bank’s number', async () => {
    const withdrawal = await sent();
    const operatorId = newId();

    const answer = await world.client.complete(withdrawal.id, operatorId, ' TED-20261121-000123 ');

    const view = await withdrawal.now();
    const providerTxId = 'TED-20261121-000123';
    expect(answer).toMatchObject({ status: 200, data: { ...view, status: 'COMPLETED', providerTxId } });
    const [event, ...others] = await endsOf(world, withdrawal.id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'withdrawal.completed', sequence: 3 });
    expect(event?.data).toEqual({
      ...fields,
      id: withdrawal.id,
      status: 'COMPLETED',
      providerTxId,
      endToEndId: null,
      payeeName: null,
      createdAt: withdrawal.createdAt,
      completedAt: view.completedAt,
    });
    expect((await auditOf(world, withdrawal)).at(-1)).toEqual({
      operator_id: operatorId,
      action: 'withdrawal.complete',
      before: { status: 'PROCESSING' },
      after: { status: 'COMPLETED', providerTxId },
      reason: null,
    });
  });

  test.each(['complete', 'fail'] as const)(
    'sent early by people takes the step %s without restarting',
    async (step) => {
      const tenant = world.newMerchant();
      // Stop the merchant's payouts, so that the scheduler does not start the TED.
      await world.stopControls.stop({ what: 'payouts', merchantId: tenant.merchantId });
      const withdrawal = await pendingTed(world, tenant);
      await world.client.approve(withdrawal.id, newId());

      const answer = await world.client[step](withdrawal.id, newId());

      const status = step === 'complete' ? 'COMPLETED' : 'FAILED';
      expect(answer).toMatchObject({ status: 200, data: { status } });
      expect(await withdrawal.announcedEnds()).toEqual([
        `withdrawal.${step === 'complete' ? 'completed' : 'failed'}`,
      ]);
      expect((await auditOf(world, withdrawal)).at(-1)).toMatchObject({
        before: { status: 'APPROVED' },
        after: { status, isStarted: false, isStopped: true, isMerchantBarred: false, isUnproven: false },
      });
    },
  );

  test('that came back fails with a reason for its merchant', async () => {
    const withdrawal = await sent();
    const operatorId = newId();

    await world.client.fail(withdrawal.id, operatorId, 'Conta inexistente.');

    const view = await withdrawal.now();
    expect(view).toMatchObject({
      ...{ status: 'FAILED', failureReason: 'refused_by_bank', providerTxId: null },
      failureDetail: 'Conta inexistente.',
    });
    const events = await endsOf(world, withdrawal.id);
    expect(events.map(({ data }) => data)).toEqual([
      {
        ...fields,
        id: withdrawal.id,
        status: 'FAILED',
        providerTxId: null,
        failureReason: 'refused_by_bank',
        createdAt: withdrawal.createdAt,
        failedAt: view.failedAt,
      },
    ]);
    expect((await auditOf(world, withdrawal)).at(-1)).toEqual({
      operator_id: operatorId,
      action: 'withdrawal.fail',
      before: { status: 'PROCESSING' },
      after: { status: 'FAILED', bankReference: 'DEV-1' },
      reason: 'Conta inexistente.',
    });
    // The TED has no due time, so the scheduler never asks a provider about it.
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null });
  });

  test('can’t fail without the bank’s reference', async () => {
    const withdrawal = await sent();
    const [path, headers] = [`/v1/admin/withdrawals/${withdrawal.id}/fail`, operatorHeader()];

    const body = { reason: 'Conta inexistente.' };
    const refused = await world.client.send(path, { method: 'POST', headers, body });

    expect(refused).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
  });

  test('is not checked after a notice of the provider', async () => {
    const withdrawal = await sent();

    expect(await world.client.notify(withdrawal.id)).toMatchObject({ data: { received: 0 } });
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null });
  });

  test('shows its account after the destination is deleted', async () => {
    const withdrawal = await sent();
    const path = `/v1/destinations/${withdrawal.destinationId}`;
    expect((await world.call(withdrawal.tenant, path, { method: 'DELETE' })).status).toBe(200);

    const inspected = await world.client.asOperator(`/withdrawals/${withdrawal.id}`);
    const listed = await world.client.asOperator(`/withdrawals?merchantId=${withdrawal.tenant.merchantId}`);
    const own = [
      await world.client.read(withdrawal.tenant, withdrawal.id),
      await world.client.list(withdrawal.tenant),
    ];

    expect(inspected.data).toMatchObject({ bankAccount: account, alarms: [] });
    expect(listed.data).toMatchObject([{ bankAccount: account }]);
    expect(own.map(({ data }) => data)).toMatchObject([{ bankAccount: account }, [{ bankAccount: account }]]);
    expect(JSON.stringify(own)).not.toMatch(/approvedBy/);
  });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const employed = () => ({
  ...{ role: 'FINANCE' as const, operatorId: newId(), createdAt: daysAgo(90) },
  ...{ createdBy: null, isSingle: false },
});
const [first, second] = [employed(), employed()];

/** Returns a TED that two operators have approved and the scheduler has started. */
async function sentByTwo(): Promise<Followed> {
  const withdrawal = await approvedByTwo();
  await withdrawal.becomes('PROCESSING');
  return withdrawal;
}
async function approvedByTwo(tenant = world.newMerchant({}, 'production')): Promise<Followed> {
  const withdrawal = await pendingTed(world, tenant);
  await world.client.approve(withdrawal.id, first.operatorId);
  await world.client.approve(withdrawal.id, second.operatorId);
  return withdrawal;
}
const decide = (id: string, { operatorId }: { operatorId: string }) =>
  world.client.send(`/v1/admin/proposals/${id}/approve`, {
    ...{ method: 'POST', headers: operatorHeader({ operatorId }), body: {} },
  });

function proposed({ status, data }: { status: number; data?: unknown }) {
  expect(status).toBe(202);
  return api.approveProposal.data.parse(data);
}

describe('the end of a TED above the sums of the day', () => {
  beforeEach(() => {
    world.gateway.allowAlone(false);
    world.stopControls.keepOnly(first, second);
  });
  afterEach(() => {
    world.gateway.allowAlone(true);
    world.stopControls.keepOnly();
  });

  test.each(['complete', 'fail'] as const)('needs a second operator for the step %s', async (step) => {
    const withdrawal = await sentByTwo();

    const answer = await world.client[step](withdrawal.id, first.operatorId);
    const repeated = await world.client[step](withdrawal.id, first.operatorId);

    const proposal = proposed(answer);
    expect([repeated.status, repeated.data]).toEqual([202, proposal]);
    expect(proposal).toMatchObject({
      ...{ action: `withdrawal.${step}`, subjectId: withdrawal.id, amount: withdrawal.amount },
      effect: expect.stringContaining(`the TED of R$ 150.00 of the merchant ${withdrawal.tenant.merchantId}`),
    });
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    expect(await decide(proposal.id, first)).toMatchObject({ status: 403 });

    expect(await decide(proposal.id, second)).toMatchObject({ status: 200, data: { status: 'EXECUTED' } });
    expect(await withdrawal.now()).toMatchObject({ status: step === 'complete' ? 'COMPLETED' : 'FAILED' });
    expect((await auditOf(world, withdrawal)).at(-1)).toMatchObject({
      ...{ operator_id: second.operatorId, action: `withdrawal.${step}` },
      after: { proposedBy: first.operatorId, isAlone: false },
    });
    expect(await withdrawal.announcedEnds()).toHaveLength(1);
  });

  test('is refused at once if the TED has ended', async () => {
    const withdrawal = await sentByTwo();
    world.gateway.allowAlone(true);
    await world.client.complete(withdrawal.id, first.operatorId);
    world.gateway.allowAlone(false);

    expect(await world.client.fail(withdrawal.id, first.operatorId)).toMatchObject({ status: 409 });
  });
});

describe('the end of a TED that the service has not started', () => {
  beforeEach(() => world.stopControls.keepOnly(first, second));
  afterEach(() => world.stopControls.keepOnly());

  const stop = ({ merchantId }: Tenant) => world.stopControls.stop({ what: 'payouts', merchantId });
  const suspend = async ({ tenant }: Followed) => world.setMerchantStatus(tenant, 'SUSPENDED');

  test.each(['complete', 'fail'] as const)('needs a second operator during a stop: %s', async (step) => {
    const tenant = world.newMerchant({}, 'production');
    await stop(tenant);
    const withdrawal = await approvedByTwo(tenant);

    const proposal = proposed(await world.client[step](withdrawal.id, first.operatorId));

    expect(proposal.effect).toContain('The platform had not given this TED to operators');
    expect(await withdrawal.now()).toMatchObject({ status: 'APPROVED' });
    expect(await decide(proposal.id, first)).toMatchObject({ status: 403 });
    expect(await decide(proposal.id, second)).toMatchObject({ status: 200 });
    const status = step === 'complete' ? 'COMPLETED' : 'FAILED';
    expect(await withdrawal.now()).toMatchObject({ status });
    const path = `/internal/timeline?ids=${withdrawal.id}`;
    const timeline = await world.client.send(path, { method: 'GET', headers: serviceHeader() });
    expect(timelinePart.parse(timeline.data).entries.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        `an operator proposed withdrawal.${step}`,
        `another operator approved withdrawal.${step}, which was executed`,
      ]),
    );
    expect((await auditOf(world, withdrawal)).at(-1)).toMatchObject({
      before: { status: 'APPROVED' },
      after: { status, isStarted: false, isStopped: true, proposedBy: first.operatorId, isAlone: false },
    });
  });

  test('needs a second operator while the merchant is suspended', async () => {
    const tenant = world.newMerchant({}, 'production');
    await stop(tenant);
    const withdrawal = await approvedByTwo(tenant);
    await suspend(withdrawal);

    const proposal = proposed(await world.client.complete(withdrawal.id, first.operatorId));
    await decide(proposal.id, second);

    expect((await auditOf(world, withdrawal)).at(-1)?.after).toMatchObject({
      ...{ status: 'COMPLETED', isStarted: false, isMerchantBarred: true },
    });
  });

  test('is one operator’s decision once the service has started it', async () => {
    const withdrawal = await approvedByTwo();
    await withdrawal.becomes('PROCESSING');
    await suspend(withdrawal);

    expect(await world.client.complete(withdrawal.id, first.operatorId)).toMatchObject({ status: 200 });
    expect(Object.keys(Object((await auditOf(world, withdrawal)).at(-1)?.after))).not.toContain('isStarted');
  });
});
