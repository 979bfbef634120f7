import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { alarmPart } from '@plataforma/contracts';
import { answeringWith, eventually } from '@plataforma/testing';
import { z } from 'zod';
import { endsOf } from '../support/ends-of.ts';
import { operatorHeader, serviceHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';
import { agreeingWorld, type Followed, follow } from './support/payouts.ts';

const world = agreeingWorld(startWorld);

beforeEach(() => world.bank.paysAtOnce(false));

describe('the event at the end of a payout', () => {
  const taker = {
    ...{ amount: 20_000, externalId: 'folha-7' },
    ...{ pixKey: '+5511987654321', pixKeyType: 'PHONE' },
  };
  const fields = {
    amount: 20_000,
    fee: 350,
    netAmount: 19_650,
    method: 'PIX',
    pixKey: '+5511987654321',
    pixKeyType: 'PHONE',
    bankAccount: null,
    externalId: 'folha-7',
  };

  async function ended(status: 'REALIZADO' | 'NAO_REALIZADO') {
    const tenant = world.newMerchant({ withdrawalFee: 350 });
    const { id, createdAt } = await world.client.newWithdrawal(tenant, taker);
    await eventually(() => world.bank.end(id, status, 'AC06'));
    await world.client.notify(id);
    const [event] = await eventually(async () => {
      const events = await endsOf(world, id);
      expect(events).toHaveLength(1);
      return events;
    });
    const view = await world.client.withdrawal(tenant, id);
    return { id, tenant, createdAt, event, view };
  }

  test('of a completion has every field and the merchant’s times', async () => {
    const { id, tenant, createdAt, event, view } = await ended('REALIZADO');

    const providerTxId = world.bank.payoutOf(id)?.endToEndId;
    expect(event).toMatchObject({ ...tenant, type: 'withdrawal.completed', aggregateId: id, sequence: 3 });
    expect(event?.data).toEqual({
      ...fields,
      id,
      status: 'COMPLETED',
      providerTxId,
      endToEndId: providerTxId,
      payeeName: 'Titular da Chave',
      createdAt,
      completedAt: view.completedAt,
    });
  });

  test('of a failure has every field and no bank number', async () => {
    const { id, tenant, createdAt, event, view } = await ended('NAO_REALIZADO');

    expect(event).toMatchObject({ ...tenant, type: 'withdrawal.failed', aggregateId: id, sequence: 3 });
    expect(event?.data).toEqual({
      ...fields,
      id,
      status: 'FAILED',
      providerTxId: null,
      failureReason: 'account_blocked',
      createdAt,
      failedAt: view.failedAt,
    });
    expect(view.providerTxId).toBeNull();
  });
});

beforeEach(() => world.bank.paysAtOnce(true));
afterEach(() => world.bank.always('find'));

async function failed(): Promise<Followed> {
  world.bank.paysAtOnce(false);
  const withdrawal = await follow(world);
  await eventually(() => world.bank.end(withdrawal.id, 'NAO_REALIZADO', 'AC03'));
  await withdrawal.becomes('FAILED');
  await isDealtWith(withdrawal);
  return withdrawal;
}

async function completed(): Promise<Followed> {
  const withdrawal = await follow(world);
  await withdrawal.becomes('COMPLETED');
  return withdrawal;
}

/** Waits until the scheduler has processed the withdrawal and the next check is at least a minute away. */
async function isDealtWith({ id }: Followed): Promise<void> {
  const due = `SELECT 1 FROM withdrawals WHERE id = $1 AND next_check_at < now() + interval '1 minute'`;
  await eventually(async () => expect(await world.database.query(due, [id])).toEqual([]));
}

const countFinds = ({ id }: Followed) => world.bank.requestsFor(id, 'find').length;

/**
 * Sends a provider's callback, after which the scheduler asks the bank again. Waits until the scheduler has
 * recorded the answer.
 */
async function askAgain(withdrawal: Followed): Promise<void> {
  const before = countFinds(withdrawal);
  await world.client.notify(withdrawal.id);
  await eventually(() => expect(countFinds(withdrawal)).toBeGreaterThan(before));
  await isDealtWith(withdrawal);
}

async function alarmsOf({ id }: Followed): Promise<unknown> {
  const answer = await world.client.asOperator(`/withdrawals/${id}`);
  return answer.data && typeof answer.data === 'object' && 'alarms' in answer.data ? answer.data.alarms : [];
}

async function alarmIdOf(withdrawal: Followed): Promise<string> {
  const alarms = z.array(z.object({ id: z.string() })).parse(await alarmsOf(withdrawal));
  return alarms[0]?.id ?? '';
}

test('a paid but failed payout raises an alarm, settled once', async () => {
  const withdrawal = await failed();
  world.bank.end(withdrawal.id, 'REALIZADO');

  await askAgain(withdrawal);

  const alarm = {
    id: expect.any(String),
    withdrawalId: withdrawal.id,
    merchantId: withdrawal.tenant.merchantId,
    environment: withdrawal.tenant.environment,
    recorded: 'FAILED',
    reported: 'COMPLETED',
    told: 'COMPLETED',
    providerTxId: world.bank.payoutOf(withdrawal.id)?.endToEndId,
    raisedAt: expect.any(String),
  };
  expect(await alarmsOf(withdrawal)).toEqual([alarm]);
  const { merchantId } = withdrawal.tenant;
  const listed = await world.client.asOperator(`/payout-alarms?merchantId=${merchantId}`);
  expect(listed).toMatchObject({ status: 200, data: [alarm], meta: { total: 1 } });
  const path = `/v1/admin/withdrawals/alarms/${await alarmIdOf(withdrawal)}/settle`;
  const headers = operatorHeader({ role: 'FINANCE' });
  const closeAlarm = (text: string) =>
    world.client.send(path, { method: 'POST', headers, body: { note: text } });
  const [closed, again] = [await closeAlarm('ajustado'), await closeAlarm('outra vez')];
  expect([closed.status, closed.data]).toMatchObject([200, { service: 'withdrawals', note: 'ajustado' }]);
  expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
  expect(await alarmsOf(withdrawal)).toHaveLength(1);
});

/**
 * Returns the withdrawal's alarms from the internal route that the gateway reads for `GET /v1/admin/alarms`.
 */
async function alarmPartOf({ id }: Followed): Promise<unknown[]> {
  const headers = serviceHeader();
  const { data } = await world.client.send('/internal/alarms?newest=100', { method: 'GET', headers });
  return alarmPart.parse(data).alarms.filter(({ subjectId }) => subjectId === id);
}

describe('a payout that the bank paid with another amount', () => {
  const another = answeringWith({ status: 'REALIZADO', valor: '149.99', endToEndId: 'E-outra' });
  const reported = { providerReference: 'E-outra', amount: 14_999, settledAt: null };

  test.each([
    ['COMPLETED', completed, 'ANOTHER_AMOUNT'],
    ['FAILED', failed, 'DONE_AFTER_FAILED'],
  ] as const)('recorded as %s raises an alarm and changes nothing', async (status, reach, kind) => {
    const withdrawal = await reach();
    const before = await withdrawal.now();
    world.bank.next('find', another);

    await askAgain(withdrawal);

    expect(await alarmPartOf(withdrawal)).toMatchObject([{ ...reported, kind }]);
    expect(await alarmsOf(withdrawal)).toMatchObject([{ recorded: status, reported: 'COMPLETED' }]);
    expect(await withdrawal.now()).toEqual(before);
  });
});

describe('a completed payout', () => {
  test('raises one alarm when the bank shows another payment', async () => {
    const withdrawal = await completed();
    const before = await withdrawal.now();
    const twice = answeringWith({ endToEndId: 'E-segunda' });
    world.bank.next('find', twice);
    await askAgain(withdrawal);
    world.bank.next('find', twice);
    await askAgain(withdrawal);

    const expected = { recorded: 'COMPLETED', reported: 'COMPLETED', providerTxId: 'E-segunda' };
    expect(await alarmsOf(withdrawal)).toMatchObject([expected]);
    const kind = { kind: 'DONE_TWICE', providerReference: 'E-segunda', amount: 15_000 };
    expect(await alarmPartOf(withdrawal)).toMatchObject([kind]);
    expect(await withdrawal.now()).toEqual(before);
  });

  test('stays COMPLETED and raises one alarm on a reported failure', async () => {
    const withdrawal = await completed();
    const before = await withdrawal.now();
    world.bank.end(withdrawal.id, 'NAO_REALIZADO', 'AC03');

    for (let i = 0; i < 2; i += 1) await askAgain(withdrawal);

    expect(await alarmsOf(withdrawal)).toMatchObject([{ recorded: 'COMPLETED', reported: 'FAILED' }]);
    expect(await withdrawal.now()).toEqual(before);
    expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.completed']);
  });

  test('is checked only after a notice and stays unchanged', async () => {
    const withdrawal = await completed();
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null });

    await askAgain(withdrawal);

    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null, status: 'COMPLETED' });
    expect(await alarmsOf(withdrawal)).toEqual([]);
  });
});
