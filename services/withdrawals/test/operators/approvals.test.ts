import { afterEach, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { agreeingWorld } from '../payout/support/payouts.ts';
import { endsOf } from '../support/ends-of.ts';
import { startWorld } from '../support/world.ts';
import { auditOf, pending } from './support/states.ts';

const world = agreeingWorld(() => startWorld({ settings: { FOUR_EYES_THRESHOLD: '50000' } }));

describe('an approval', () => {
  test('has the withdrawal paid and is recorded', async () => {
    const withdrawal = await pending(world);
    const operatorId = newId();

    const answer = await world.client.approve(withdrawal.id, operatorId);

    expect(answer).toMatchObject({
      status: 200,
      data: { id: withdrawal.id, status: 'APPROVED', approvalsNeeded: 1, approvedBy: [operatorId] },
    });
    await withdrawal.becomes('COMPLETED');
    expect(await auditOf(world, withdrawal)).toEqual([
      {
        operator_id: operatorId,
        action: 'withdrawal.approve',
        before: { status: 'PENDING', approvalsNeeded: 1, approvedBy: [] },
        after: { status: 'APPROVED', approvalsNeeded: 1, approvedBy: [operatorId] },
        reason: null,
      },
    ]);
  });

  test('does not shorten the cool-down of a new payee', async () => {
    const traits = { autoApproveLimit: 100_000, destinationCooldownHours: 24 };
    const withdrawal = await pending(world, { amount: 50_000 }, traits);

    const { data } = await world.client.approve(withdrawal.id, newId());

    expect(data).toMatchObject({ status: 'PENDING', approvalsNeeded: 0, payableFrom: expect.any(String) });
    const { next_check_at: next, payable_from: from } = (await world.rowOf(withdrawal.id)) ?? {};
    expect(next).toEqual(from);
    expect(Number(next) - Date.parse(withdrawal.createdAt)).toBe(24 * 3_600_000);
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);
  });
});

describe('a withdrawal that exceeds the sums of the day', () => {
  afterEach(() => world.gateway.allowAlone(true));

  test('needs a second operator, and the first approval counts nothing', async () => {
    const withdrawal = await pending(world);
    const [first, second] = [newId(), newId()];
    world.gateway.allowAlone(false);

    expect(await world.client.approve(withdrawal.id, first)).toMatchObject({
      status: 200,
      data: { status: 'PENDING', approvalsNeeded: 2, approvedBy: [first] },
    });

    expect(world.gateway.decisions.at(-1)).toEqual({
      ...{ subjectId: withdrawal.id, action: 'withdrawal.approve', operatorId: first },
      ...{ merchantId: withdrawal.tenant.merchantId, amount: withdrawal.amount, limit: 50_000 },
    });
    expect(await world.client.approve(withdrawal.id, first)).toMatchObject({ status: 403 });
    expect(await world.client.approve(withdrawal.id, second)).toMatchObject({
      data: { status: 'APPROVED', approvedBy: [first, second] },
    });
    expect((await auditOf(world, withdrawal))[0]).toMatchObject({
      before: { approvalsNeeded: 1 },
      after: { approvalsNeeded: 2 },
    });
  });
});

describe('an early approval of a withdrawal that needs none', () => {
  afterEach(() => world.gateway.allowAlone(true));
  const traits = { autoApproveLimit: 100_000, destinationCooldownHours: 24 };

  test('counts in the sums of the day, once', async () => {
    const withdrawal = await pending(world, {}, traits);
    const operatorId = newId();

    await world.client.approve(withdrawal.id, operatorId);

    expect(world.gateway.decisions.filter((each) => isAbout(each, withdrawal.id))).toEqual([
      expect.objectContaining({ operatorId, action: 'withdrawal.approve', amount: withdrawal.amount }),
    ]);
  });

  test('is refused beyond the sums, and the withdrawal still needs none', async () => {
    const withdrawal = await pending(world, {}, traits);
    world.gateway.allowAlone(false);

    expect(await world.client.approve(withdrawal.id, newId())).toMatchObject({
      ...{ status: 403, error: { code: 'FORBIDDEN' } },
    });
    const [row] = await world.database.query(
      'SELECT status, approvals_needed FROM withdrawals WHERE id = $1',
      [withdrawal.id],
    );
    expect(row).toEqual({ status: 'PENDING', approvals_needed: 0 });
  });
});

const isAbout = (decision: unknown, subjectId: string) =>
  (decision as { subjectId: string }).subjectId === subjectId;

describe('a new operator', () => {
  afterEach(() => world.stopControls.keepOnly());

  const employed = (days: number, operatorId = newId(), createdBy: string | null = null) => {
    const createdAt = new Date(Date.now() - days * 86_400_000).toISOString();
    return { role: 'FINANCE', operatorId, createdAt, createdBy, isSingle: false } as const;
  };

  /** Creates an operator of this age. Only this operator and the operator's creator then have access. */
  function aged(days: number, createdBy: string | null = null): string {
    const operator = employed(days, newId(), createdBy);
    world.stopControls.keepOnly(operator, ...(createdBy ? [employed(90, createdBy)] : []));
    return operator.operatorId;
  }

  test('may approve first if the operator who approved before and created it has no access now', async () => {
    const withdrawal = await pending(world, { amount: 50_001 });
    const creator = aged(90);
    await world.client.approve(withdrawal.id, creator);
    const created = employed(5, newId(), creator);
    world.stopControls.keepOnly(created, employed(90));

    expect(await world.client.approve(withdrawal.id, created.operatorId)).toMatchObject({
      ...{ status: 200, data: { status: 'PENDING', approvedBy: [created.operatorId] } },
    });
  });

  test('does not complete the approval of an operator without access', async () => {
    const withdrawal = await pending(world, { amount: 50_001 });
    await world.client.approve(withdrawal.id, aged(90));
    const [second, third] = [employed(90), employed(90)];
    world.stopControls.keepOnly(second, third);

    expect(await world.client.approve(withdrawal.id, second.operatorId)).toMatchObject({
      data: { status: 'PENDING', approvalsNeeded: 2, approvedBy: [second.operatorId] },
    });
    expect(await world.client.approve(withdrawal.id, third.operatorId)).toMatchObject({
      data: { status: 'APPROVED', approvedBy: [second.operatorId, third.operatorId] },
    });
  });

  test('can’t approve anything for a day', async () => {
    const withdrawal = await pending(world);

    expect(await world.client.approve(withdrawal.id, aged(0.9))).toMatchObject({
      ...{ status: 403, error: { code: 'FORBIDDEN', message: expect.stringMatching('24 hours') } },
    });
    expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
    expect(world.gateway.decisions).not.toContainEqual(expect.objectContaining({ subjectId: withdrawal.id }));
    expect(await world.client.approve(withdrawal.id, aged(1.1))).toMatchObject({ status: 200 });
  });

  test('can’t give their creator a second approval for 30 days', async () => {
    const withdrawal = await pending(world, { amount: 50_001 });
    const creator = aged(90);
    await world.client.approve(withdrawal.id, creator);

    expect(await world.client.approve(withdrawal.id, aged(29, creator))).toMatchObject({ status: 403 });
    expect(await world.client.approve(withdrawal.id, aged(31, creator))).toMatchObject({
      data: { status: 'APPROVED' },
    });
  });
});

describe('a withdrawal above the threshold', () => {
  const large = { amount: 50_001 };

  test('needs two operators and refuses one operator’s second approval', async () => {
    const withdrawal = await pending(world, large, { autoApproveLimit: 99_999_999 });
    const operatorId = newId();

    expect(await world.client.approve(withdrawal.id, operatorId)).toMatchObject({
      status: 200,
      data: { status: 'PENDING', approvalsNeeded: 2, approvedBy: [operatorId] },
    });
    expect(await world.client.approve(withdrawal.id, operatorId)).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });

    expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null, second_approver: null });
    expect(await auditOf(world, withdrawal)).toMatchObject([
      { before: { approvedBy: [] }, after: { status: 'PENDING', approvedBy: [operatorId] } },
    ]);
  });

  test('is paid after the approval of two operators', async () => {
    const withdrawal = await pending(world, large);
    const [first, second] = [newId(), newId()];
    await world.client.approve(withdrawal.id, first);

    expect(await world.client.approve(withdrawal.id, second)).toMatchObject({
      status: 200,
      data: { status: 'APPROVED', approvedBy: [first, second] },
    });

    await withdrawal.becomes('COMPLETED');
    expect(await auditOf(world, withdrawal)).toMatchObject([
      { operator_id: first, after: { status: 'PENDING', approvedBy: [first] } },
      { operator_id: second, before: { approvedBy: [first] }, after: { approvedBy: [first, second] } },
    ]);
  });

  test('can be rejected by its approver', async () => {
    const withdrawal = await pending(world, large);
    const operatorId = newId();
    await world.client.approve(withdrawal.id, operatorId);

    expect(await world.client.reject(withdrawal.id, operatorId)).toMatchObject({ status: 200 });

    expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.rejected']);
  });

  test('has two different approvers by a database constraint', async () => {
    const withdrawal = await pending(world, large);
    const operatorId = newId();
    await world.client.approve(withdrawal.id, operatorId);
    const update = (set: string, ...values: string[]) =>
      world.database.query(`UPDATE withdrawals SET ${set} WHERE id = $1`, [withdrawal.id, ...values]);

    await expect(update('second_approver = $2', operatorId)).rejects.toMatchObject({
      constraint: 'withdrawals_four_eyes',
    });
    await expect(update(`second_approver = $2, status = 'APPROVED'`, operatorId)).rejects.toMatchObject({
      constraint: 'withdrawals_four_eyes',
    });
    for (const status of ['APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED']) {
      const ended = `status = '${status}', started_at = now(), provider_tx_id = 'E1',
        ended_at = CASE WHEN '${status}' IN ('COMPLETED', 'FAILED') THEN now() END,
        failure_reason = CASE WHEN '${status}' = 'FAILED' THEN 'other' END`;
      await expect(update(ended)).rejects.toMatchObject({ constraint: 'withdrawals_approved' });
    }
  });

  test('needs no operator as a sandbox Pix', async () => {
    const merchant = world.newMerchant();
    const { id } = await world.client.newWithdrawal(merchant, large);

    await eventually(async () =>
      expect(await world.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
    );
  });
});

test('a rejection ends the withdrawal, is announced and recorded', async () => {
  const withdrawal = await pending(world, { amount: 30_000 }, { withdrawalFee: 500 });
  const operatorId = newId();
  const reason = 'O favorecido não confere com o contrato.';

  const answer = await world.client.reject(withdrawal.id, operatorId, reason);

  const view = await withdrawal.now();
  expect(answer).toMatchObject({ status: 200, data: { ...view, approvedBy: [] } });
  expect(view).toMatchObject({ status: 'REJECTED', rejectedReason: reason, failureReason: null });
  const [event, ...others] = await endsOf(world, withdrawal.id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ ...withdrawal.tenant, type: 'withdrawal.rejected', sequence: 1 });
  expect(event?.data).toEqual({
    id: withdrawal.id,
    amount: 30_000,
    fee: 500,
    bankAccount: null,
    externalId: null,
    netAmount: 29_500,
    method: 'PIX',
    pixKey: withdrawal.pixKey,
    pixKeyType: 'EVP',
    status: 'REJECTED',
    providerTxId: null,
    rejectedAt: view.rejectedAt,
    rejectedReason: reason,
    createdAt: withdrawal.createdAt,
  });
  expect(await auditOf(world, withdrawal)).toEqual([
    {
      operator_id: operatorId,
      action: 'withdrawal.reject',
      before: { status: 'PENDING' },
      after: { status: 'REJECTED' },
      reason,
    },
  ]);
  expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);
});
