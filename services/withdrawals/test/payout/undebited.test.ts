import { describe, expect, test } from '@jest/globals';
import { newId, PLATFORM_ID } from '@plataforma/kernel';
import { doneThen500, eventually } from '@plataforma/testing';
import { NO_BROKER } from '@plataforma/testing/world';
import { pendingTed } from '../operators/support/states.ts';
import { startWorld } from '../support/world.ts';
import { blockedPayoutsIn } from './support/blocked-payouts.ts';
import { agreeingWorld, type Followed, follow } from './support/payouts.ts';

const world = agreeingWorld(() => startWorld({ brokerUrl: NO_BROKER }));

const ordersOf = ({ id }: Followed) => world.bank.requestsFor(id, 'order').length;
const countDebitRequests = (id: string) =>
  world.ledger.debitRequests.filter((debit) => debit.id === id).length;

const { forgetDebits, isBlocked, blocked, decide, alarmsOf, auditOf } = blockedPayoutsIn(world);

/** Resets a withdrawal to its state before the payout was sent, as a restore of the database does. */
async function restoreUnordered({ id }: Followed): Promise<void> {
  await world.database.query(`DELETE FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1`, [id]);
  await world.database.query(
    `UPDATE withdrawals SET status = 'APPROVED', started_at = NULL, ordered_from = NULL, accepted_at = NULL,
       provider_tx_id = NULL, failure_reason = NULL, ended_at = NULL, checks = 0, next_check_at = now()
       WHERE id = $1`,
    [id],
  );
}

/**
 * Creates a payout that the bank paid before the databases of the ledger and of this service were restored.
 * Runs `happen` between the payment and the restore.
 */
async function orderedBefore(happen: (id: string) => void): Promise<Followed> {
  const withdrawal = await follow(world);
  await withdrawal.becomes('COMPLETED');
  happen(withdrawal.id);
  forgetDebits(withdrawal.tenant.merchantId);
  await restoreUnordered(withdrawal);
  return isBlocked(withdrawal);
}

/**
 * Expects that the operator's step `fail-undebited` is refused with a message that contains `reason`. Then
 * expects that the step `debit` succeeds.
 */
async function debitsInstead(withdrawal: Followed, reason: string): Promise<void> {
  await eventually(async () =>
    expect(await decide(withdrawal, 'fail-undebited')).toMatchObject({
      ...{ status: 409, error: { message: expect.stringContaining(reason) } },
    }),
  );
  expect(await decide(withdrawal, 'debit')).toMatchObject({ status: 200 });
}

const paidTimes = ({ id }: Followed) =>
  world.bank.payouts.filter(({ id: payoutId }) => payoutId === id.replaceAll('-', '')).length;

describe('a payout without a debit in the restored ledger', () => {
  test('is debited once by an operator and paid once', async () => {
    const withdrawal = await blocked();
    const operatorId = newId();

    const answers = await Promise.all([1, 2].map(() => decide(withdrawal, 'debit', operatorId)));

    expect(answers.map(({ status }) => status)).toContain(200);
    await withdrawal.becomes('COMPLETED');
    expect(world.ledger.taken.filter(({ id }) => id === withdrawal.id)).toHaveLength(1);
    expect(ordersOf(withdrawal)).toBe(1);
    expect(await alarmsOf(withdrawal)).toMatchObject([{ kind: 'NO_DEBIT', settledBy: operatorId }]);
    const [row] = await auditOf(withdrawal);
    expect(row).toMatchObject({
      action: 'withdrawal.debit',
      reason: 'ledger restaurado',
      after: { isDebitAsked: true },
    });
    expect(await decide(withdrawal, 'debit')).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE' },
    });
  });

  test('waits without a debit request while the balance is short', async () => {
    const withdrawal = await blocked();
    const { merchantId } = withdrawal.tenant;
    world.ledger.setBalance(merchantId, 1);

    const refused = await decide(withdrawal, 'debit');

    expect(refused).toMatchObject({ status: 422, error: { code: 'INSUFFICIENT_BALANCE' } });
    expect([countDebitRequests(withdrawal.id), (await withdrawal.now()).status]).toEqual([1, 'APPROVED']);
    expect(await auditOf(withdrawal)).toEqual([]);
    world.ledger.setBalance(merchantId, 100_000_000);
    expect(await decide(withdrawal, 'debit')).toMatchObject({ status: 200 });
    await withdrawal.becomes('COMPLETED');
  });

  test('waits when its money is taken meanwhile, then is debited', async () => {
    const withdrawal = await blocked();
    const { id, tenant } = withdrawal;
    const { taken } = world.ledger;
    const isOwn = (debit: { id: string }) => debit.id === id;
    const isTaken = () => taken.some(isOwn);
    world.ledger.prove(tenant.merchantId, (proof) => (isTaken() ? proof : { ...proof, debit: null }));
    taken.splice(taken.findLastIndex(isOwn), 1);
    world.ledger.nextFor(tenant.merchantId, (perform) => {
      world.ledger.setBalance(tenant.merchantId, 1);
      return perform();
    });

    const refused = await decide(withdrawal, 'debit');

    expect(refused).toMatchObject({ status: 422, error: { code: 'INSUFFICIENT_BALANCE' } });
    expect([countDebitRequests(id), isTaken()]).toEqual([2, false]);
    world.ledger.setBalance(tenant.merchantId, 100_000_000);
    expect(await decide(withdrawal, 'debit')).toMatchObject({ status: 200 });
    await withdrawal.becomes('COMPLETED');
  });

  test('is not debited while its books are compared', async () => {
    const withdrawal = await blocked();
    const lease = 'UPDATE withdrawals SET lease_token = $2, lease_until = $3 WHERE id = $1';
    await world.database.query(lease, [withdrawal.id, newId(), new Date('2099-01-01')]);

    const refused = await decide(withdrawal, 'debit');

    expect(refused).toMatchObject({ status: 409, error: { code: 'REQUEST_IN_PROGRESS' } });
    expect([countDebitRequests(withdrawal.id), await auditOf(withdrawal)]).toEqual([1, []]);
    await world.database.query(lease, [withdrawal.id, null, null]);
    expect(await decide(withdrawal, 'debit')).toMatchObject({ status: 200 });
    await withdrawal.becomes('COMPLETED');
  });

  test('continues after a lost answer when comparison finds its debit', async () => {
    const withdrawal = await blocked();
    world.ledger.nextFor(withdrawal.tenant.merchantId, doneThen500);

    expect(await decide(withdrawal, 'debit')).toMatchObject({ status: 503 });

    await withdrawal.becomes('COMPLETED');
    expect(ordersOf(withdrawal)).toBe(1);
    expect(await auditOf(withdrawal)).toMatchObject([{ action: 'withdrawal.debit' }]);
    // The operator's request failed before it closed the alarm. The scheduler's later verification found the
    // debit and closed the alarm.
    const [alarm] = await alarmsOf(withdrawal);
    expect(alarm).toMatchObject({ kind: 'NO_DEBIT', settledAt: expect.any(String), settledBy: null });
    expect(alarm && (await auditOf(alarm))).toMatchObject([
      { operator_id: PLATFORM_ID, action: 'alarm.settle', reason: alarm?.note, after: { kind: 'NO_DEBIT' } },
    ]);
  });

  test('is ended by an operator and announced to its merchant', async () => {
    const withdrawal = await blocked();

    const ended = await eventually(async () => {
      const answer = await decide(withdrawal, 'fail-undebited');
      expect(answer).toMatchObject({ status: 200, data: { status: 'FAILED', failureReason: 'other' } });
      return answer;
    });

    expect(ended.status).toBe(200);
    expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.failed']);
    expect([ordersOf(withdrawal), countDebitRequests(withdrawal.id)]).toEqual([0, 1]);
    expect(await alarmsOf(withdrawal)).toMatchObject([{ kind: 'NO_DEBIT', note: 'ledger restaurado' }]);
    expect(await auditOf(withdrawal)).toMatchObject([{ action: 'withdrawal.fail_undebited' }]);
    for (const verb of ['debit', 'fail-undebited'] as const)
      expect(await decide(withdrawal, verb)).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
  });

  test('already ordered before the restore is debited, not paid again', async () => {
    const withdrawal = await orderedBefore(() => undefined);

    await debitsInstead(withdrawal, 'the provider has an order');

    await withdrawal.becomes('COMPLETED');
    expect(paidTimes(withdrawal)).toBe(1);
  });

  test('with a returned order is debited, and raises an alarm', async () => {
    const withdrawal = await orderedBefore((id) => world.bank.end(id, 'DEVOLVIDO'));

    await debitsInstead(withdrawal, 'reports no amount');

    await withdrawal.becomes('PROCESSING');
    await eventually(async () =>
      expect((await alarmsOf(withdrawal)).map(({ kind }) => kind)).toEqual(['RETURNED', 'NO_DEBIT']),
    );
    expect(paidTimes(withdrawal)).toBe(1);
  });

  test('with a failed order is ended, not debited', async () => {
    world.bank.paysAtOnce(false);
    const withdrawal = await follow(world);
    await eventually(() => world.bank.end(withdrawal.id, 'NAO_REALIZADO', 'AC06'));
    await withdrawal.becomes('FAILED');
    world.bank.paysAtOnce(true);
    const { id: reference, tenant, amount } = withdrawal;
    world.ledger.prove(tenant.merchantId, (proof) => ({ ...proof, debit: null }));
    world.ledger.post(tenant.merchantId, { kind: 'withdrawal_returned', reference, amount });
    await restoreUnordered(withdrawal);
    await isBlocked(withdrawal);

    expect(await decide(withdrawal, 'debit')).toMatchObject({
      ...{ status: 409, error: { message: expect.stringContaining('fail it instead') } },
    });
    expect(await decide(withdrawal, 'fail-undebited')).toMatchObject({
      ...{ status: 200, data: { status: 'FAILED', failureReason: 'account_blocked' } },
    });

    expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.failed']);
    expect(ordersOf(withdrawal)).toBe(1);
    // The restored database did not show that the payout had failed. Therefore the ledger's return of the
    // money counted as a credit without a record.
    expect(await alarmsOf(withdrawal)).toMatchObject([
      { kind: 'UNPROVEN_CREDIT', note: 'ledger restaurado', settledAt: expect.any(String) },
    ]);
    expect(await auditOf(withdrawal)).toMatchObject([
      { action: 'withdrawal.debit', after: { isDebitAsked: true } },
      { action: 'withdrawal.fail_undebited', after: { status: 'FAILED' } },
    ]);
  });

  test('as a TED is sent when debited, or ended unsent', async () => {
    const [one, other] = [await pendingTed(world), await pendingTed(world)];
    for (const ted of [one, other]) {
      forgetDebits(ted.tenant.merchantId);
      await world.client.approve(ted.id, newId());
      await isBlocked(ted);
    }

    expect(await decide(one, 'debit')).toMatchObject({ status: 200 });
    expect(await decide(other, 'fail-undebited')).toMatchObject({ status: 200 });

    await one.becomes('PROCESSING');
    expect(await other.now()).toMatchObject({ status: 'FAILED' });
  });
});

test('an ordered payout with a debit refuses both operator decisions', async () => {
  const withdrawal = await follow(world);
  await withdrawal.becomes('COMPLETED');

  for (const verb of ['debit', 'fail-undebited'] as const) {
    expect(await decide(withdrawal, verb)).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
    expect(await decide({ id: newId() }, verb)).toMatchObject({ status: 404 });
  }
});
