import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { alarmPart } from '@plataforma/contracts';
import { answeringWith, error500, eventually } from '@plataforma/testing';
import { z } from 'zod';
import { operatorHeader, serviceHeader } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';
import { disagreements, type Followed, follow } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.bank.paysAtOnce(true));
afterEach(() => world.bank.always('find'));
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

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

/** Nobody is asking about it, and nobody soon will. */
async function isDealtWith({ id }: Followed): Promise<void> {
  const due = `SELECT 1 FROM withdrawals WHERE id = $1 AND next_check_at < now() + interval '1 minute'`;
  await eventually(async () => expect(await world.database.query(due, [id])).toEqual([]));
}

const asked = ({ id }: Followed) => world.bank.requestsFor(id, 'find').length;

/** Notices until the bank was asked once more and the answer has been dealt with. */
async function askAgain(withdrawal: Followed): Promise<void> {
  const before = asked(withdrawal);
  await world.client.notify(withdrawal.id);
  await eventually(() => expect(asked(withdrawal)).toBeGreaterThan(before));
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

describe('a payout that is paid after it had failed', () => {
  test('raises one alarm, however often it is told, and changes nothing', async () => {
    const withdrawal = await failed();
    const before = await withdrawal.now();
    world.bank.end(withdrawal.id, 'REALIZADO');

    for (let i = 0; i < 3; i += 1) await askAgain(withdrawal);

    const alarm = {
      id: expect.any(String),
      withdrawalId: withdrawal.id,
      merchantId: withdrawal.tenant.merchantId,
      environment: withdrawal.tenant.environment,
      recorded: 'FAILED',
      told: 'COMPLETED',
      providerTxId: world.bank.payoutOf(withdrawal.id)?.endToEndId,
      raisedAt: expect.any(String),
    };
    expect(await alarmsOf(withdrawal)).toEqual([alarm]);
    const { merchantId } = withdrawal.tenant;
    const listed = await world.client.asOperator(`/payout-alarms?merchantId=${merchantId}`);
    expect(listed).toMatchObject({ status: 200, data: [alarm], meta: { total: 1 } });
    expect(await withdrawal.now()).toEqual(before);
    expect(await withdrawal.told()).toEqual(['withdrawal.failed']);
  });

  test('is settled by an operator, once, with a note', async () => {
    const withdrawal = await failed();
    world.bank.end(withdrawal.id, 'REALIZADO');
    await askAgain(withdrawal);
    const path = `/v1/admin/withdrawals/alarms/${await alarmIdOf(withdrawal)}/settle`;
    const headers = operatorHeader({ role: 'FINANCE' });
    const settle = (note: string) => world.client.send(path, { method: 'POST', headers, body: { note } });

    const settled = await settle('ajustado');
    const again = await settle('outra vez');

    const known = {
      service: 'withdrawals',
      subject: 'payout',
      subjectId: withdrawal.id,
      kind: 'DONE_AFTER_FAILED',
    };
    expect([settled.status, settled.data]).toMatchObject([200, { ...known, note: 'ajustado' }]);
    expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
    expect(await alarmsOf(withdrawal)).toHaveLength(1);
  });

  test('is noticed without anybody telling, for a day', async () => {
    const withdrawal = await failed();
    world.bank.end(withdrawal.id, 'REALIZADO');
    const next = await world.rowOf(withdrawal.id);
    expect(Number(next?.next_check_at) - Number(next?.ended_at)).toBeGreaterThanOrEqual(900_000);

    await world.lookNow(withdrawal.id);

    await eventually(async () => expect(await alarmsOf(withdrawal)).toMatchObject([{ told: 'COMPLETED' }]));
    await eventually(async () => {
      const row = await world.rowOf(withdrawal.id);
      const rest = Number(row?.next_check_at) - Date.now();
      expect(rest).toBeGreaterThan(60_000);
    });
  });
});

describe('a payout that failed', () => {
  test('is looked at no more when a day has passed', async () => {
    const withdrawal = await failed();
    const before = asked(withdrawal);
    const aDayAgo = `UPDATE withdrawals SET ended_at = now() - interval '1 day', next_check_at = now() WHERE id = $1`;
    await world.database.query(aDayAgo, [withdrawal.id]);

    await eventually(async () =>
      expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null }),
    );

    expect(asked(withdrawal)).toBe(before + 1);
  });

  test('is looked at again after a look that told nothing', async () => {
    const withdrawal = await failed();
    const before = asked(withdrawal);
    world.bank.next('find', error500);
    await world.lookNow(withdrawal.id);

    await eventually(() => expect(asked(withdrawal)).toBe(before + 1));
    await isDealtWith(withdrawal);
    const { next_check_at: next } = (await world.rowOf(withdrawal.id)) ?? {};
    expect(Number(next) - Date.now()).toBeGreaterThan(600_000);

    expect(await alarmsOf(withdrawal)).toEqual([]);
  });

  test('raises no alarm when the bank says so again, or knows nothing of it', async () => {
    const withdrawal = await failed();
    await askAgain(withdrawal);
    world.bank.next('find', () => ({ status: 404, body: { nome: 'envio_nao_encontrado' } }));
    await askAgain(withdrawal);

    expect(await alarmsOf(withdrawal)).toEqual([]);
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
  });
});

/** As the gateway reads them for `GET /v1/admin/alarms`. */
async function alarmPartOf({ id }: Followed): Promise<unknown[]> {
  const headers = serviceHeader();
  const { data } = await world.client.send('/internal/alarms?newest=100', { method: 'GET', headers });
  return alarmPart.parse(data).alarms.filter(({ subjectId }) => subjectId === id);
}

describe('a payout of which the bank says that it is paid in another amount', () => {
  const another = answeringWith({ status: 'REALIZADO', valor: '149.99', endToEndId: 'E-outra' });
  const known = { providerReference: 'E-outra', amount: 14_999, settledAt: null };

  test('is an alarm, once, and stays PROCESSING until the amount is right', async () => {
    world.bank.paysAtOnce(false);
    const withdrawal = await follow(world);
    await withdrawal.isAsked('find', 1);
    world.bank.always('find', another);

    for (let i = 0; i < 2; i += 1) await withdrawal.isAsked('find', asked(withdrawal) + 1);
    const alarm = { ...known, kind: 'ANOTHER_AMOUNT' };
    await eventually(async () => expect(await alarmPartOf(withdrawal)).toMatchObject([alarm]));

    expect(await alarmsOf(withdrawal)).toMatchObject([{ recorded: 'PROCESSING', told: 'COMPLETED' }]);
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    world.bank.always('find');
    world.bank.end(withdrawal.id, 'REALIZADO');
    await withdrawal.becomes('COMPLETED');
    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
  });

  test.each([
    ['COMPLETED', completed, 'ANOTHER_AMOUNT'],
    ['FAILED', failed, 'DONE_AFTER_FAILED'],
  ] as const)('after it was %s is an alarm, and changes nothing', async (status, reach, kind) => {
    const withdrawal = await reach();
    const before = await withdrawal.now();
    world.bank.next('find', another);

    await askAgain(withdrawal);

    expect(await alarmPartOf(withdrawal)).toMatchObject([{ ...known, kind }]);
    expect(await alarmsOf(withdrawal)).toMatchObject([{ recorded: status, told: 'COMPLETED' }]);
    expect(await withdrawal.now()).toEqual(before);
  });
});

describe('a payout that was completed', () => {
  test('raises one alarm when the bank shows another payment, which an operator settles', async () => {
    const withdrawal = await completed();
    const before = await withdrawal.now();
    const twice = answeringWith({ endToEndId: 'E-segunda' });
    world.bank.next('find', twice);
    await askAgain(withdrawal);
    world.bank.next('find', twice);
    await askAgain(withdrawal);

    const alarms = await alarmsOf(withdrawal);
    const told = { recorded: 'COMPLETED', told: 'COMPLETED', providerTxId: 'E-segunda' };
    expect(alarms).toMatchObject([told]);
    const kind = { kind: 'DONE_TWICE', providerReference: 'E-segunda', amount: 15_000 };
    expect(await alarmPartOf(withdrawal)).toMatchObject([kind]);
    expect(await withdrawal.now()).toEqual(before);
    const { merchantId } = withdrawal.tenant;
    const listed = await world.client.asOperator(`/payout-alarms?merchantId=${merchantId}`);
    expect(listed).toMatchObject({ status: 200, data: alarms, meta: { total: 1 } });
    const path = `/v1/admin/withdrawals/alarms/${await alarmIdOf(withdrawal)}/settle`;
    const headers = operatorHeader({ role: 'FINANCE' });
    const settled = await world.client.send(path, { method: 'POST', headers, body: { note: 'devolvido' } });
    expect([settled.status, settled.data]).toMatchObject([200, { ...kind, note: 'devolvido' }]);
  });

  test('raises one alarm when the bank says it was not done, and stays COMPLETED', async () => {
    const withdrawal = await completed();
    const before = await withdrawal.now();
    world.bank.end(withdrawal.id, 'NAO_REALIZADO', 'AC03');

    for (let i = 0; i < 2; i += 1) await askAgain(withdrawal);

    expect(await alarmsOf(withdrawal)).toMatchObject([{ recorded: 'COMPLETED', told: 'FAILED' }]);
    expect(await withdrawal.now()).toEqual(before);
    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
  });

  test('is asked about only when there is a notice, and stays as it is', async () => {
    const withdrawal = await completed();
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null });

    await askAgain(withdrawal);

    expect(await world.rowOf(withdrawal.id)).toMatchObject({ next_check_at: null, status: 'COMPLETED' });
    expect(await alarmsOf(withdrawal)).toEqual([]);
  });
});
