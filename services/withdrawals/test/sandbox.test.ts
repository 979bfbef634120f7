import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { error500 } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { pending, pendingTed } from './operators/support/states.ts';
import { followed } from './payout/support/payouts.ts';
import { newOrder } from './support/client.ts';
import { bankBody, save } from './support/destination-bodies.ts';
import { endsOf } from './support/ends-of.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const steps = ['approve', 'reject', 'complete', 'fail', 'hold'] as const;
type Step = (typeof steps)[number];

const play = (tenant: Tenant, id: string, step: Step, body: object = {}) =>
  world.call(tenant, `/v1/sandbox/withdrawals/${id}/${step}`, { method: 'POST', body });

async function heldWithdrawal() {
  const tenant = world.newMerchant();
  const payee = { pixKey: 'hold@sandbox.test', pixKeyType: 'EMAIL' };
  return followed(world, tenant, await world.client.newWithdrawal(tenant, payee));
}

async function eventsOf(id: string) {
  return (await endsOf(world, id)).map(({ type }) => type);
}

describe('a withdrawal to hold@sandbox.test', () => {
  test('stays PENDING until its approval and is then paid', async () => {
    const withdrawal = await heldWithdrawal();
    await world.makeDue(withdrawal.id);
    const other = world.newMerchant();
    await followed(world, other, await world.client.newWithdrawal(other)).becomes('COMPLETED');
    const before = await withdrawal.now();

    const approved = await play(withdrawal.tenant, withdrawal.id, 'approve');

    expect([before.status, before.waitingFor]).toMatchObject(['PENDING', { what: 'approval' }]);
    expect([approved.status, approved.data]).toMatchObject([200, { id: withdrawal.id, status: 'APPROVED' }]);
    await withdrawal.becomes('COMPLETED');
  });

  test('can be rejected with a reason', async () => {
    const { id, tenant } = await heldWithdrawal();

    const answer = await play(tenant, id, 'reject', { reason: 'não confere' });

    expect([answer.status, answer.data]).toMatchObject([
      200,
      { status: 'REJECTED', rejectedReason: 'não confere' },
    ]);
    expect(await eventsOf(id)).toEqual(['withdrawal.rejected']);
  });

  test('is approved or rejected once by ten concurrent requests', async () => {
    const { id, tenant, now } = await heldWithdrawal();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => play(tenant, id, i % 2 ? 'approve' : 'reject')),
    );

    const done = answers.filter(({ status }) => status === 200);
    const others = answers.filter(({ status }) => status !== 200);
    expect(done).toHaveLength(1);
    expect(new Set(others.map(({ error }) => error?.code))).toEqual(new Set(['INVALID_STATE']));
    expect((await now()).status === 'REJECTED').toBe(answers.some((a, i) => a.status === 200 && i % 2 === 0));
  });

  test('is paid normally in production', async () => {
    const payee = { pixKey: 'hold@sandbox.test', pixKeyType: 'EMAIL' };
    const { becomes } = await pending(world, payee, {
      autoApproveLimit: 1_000_000,
      destinationCooldownHours: 0,
    });

    await becomes('COMPLETED');
  });

  test.each<[Step, string]>([
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
  ])('is approved by `%s` and ended as %s by its bank', async (step, status) => {
    const { id, tenant, becomes } = await heldWithdrawal();

    const answer = await play(tenant, id, step);

    expect([answer.status, answer.data]).toMatchObject([200, { id, status: 'APPROVED' }]);
    await becomes(status);
    expect(world.bank.requestsFor(id, 'order')).toHaveLength(1);
  });

  test('shows the last given reason only after it has failed', async () => {
    const { id, tenant, now, becomes } = await heldWithdrawal();
    world.bank.next('order-end', error500);

    const refused = await play(tenant, id, 'fail', { reason: 'engano' });
    const before = await now();
    await play(tenant, id, 'fail', { reason: 'conta de outro titular' });

    expect([refused.status, before.status, before.failureDetail]).toEqual([503, 'PENDING', null]);
    expect((await becomes('FAILED')).failureDetail).toBe('conta de outro titular');
  });

  test('shows no failure reason when it is paid after all', async () => {
    const { id, tenant, becomes } = await heldWithdrawal();
    world.bank.next('order-end', error500);
    await play(tenant, id, 'fail', { reason: 'engano' });

    await play(tenant, id, 'complete');

    expect(await becomes('COMPLETED')).toMatchObject({ failureReason: null, failureDetail: null });
  });

  test('can take no step after its end', async () => {
    const { id, tenant, becomes } = await heldWithdrawal();
    await play(tenant, id, 'approve');
    await becomes('COMPLETED');

    const answers = [];
    for (const step of steps) answers.push(await play(tenant, id, step));

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      steps.map(() => [409, 'INVALID_STATE']),
    );
  });
});

describe('a TED of the sandbox', () => {
  test.each<[Step, string, string]>([
    ['complete', 'COMPLETED', 'withdrawal.completed'],
    ['fail', 'FAILED', 'withdrawal.failed'],
  ])('that is approved ends by `%s` as %s', async (step, status, event) => {
    const { id, tenant } = await pendingTed(world);
    await play(tenant, id, 'approve');

    const answer = await play(tenant, id, step);

    expect([answer.status, answer.data]).toMatchObject([200, { status }]);
    expect(await eventsOf(id)).toEqual([event]);
  });

  test('leaves no decision in the operators’ audit log', async () => {
    const { id, tenant } = await pendingTed(world);
    await play(tenant, id, 'approve');
    await play(tenant, id, 'complete');

    expect(await world.database.query('SELECT action FROM audit_log WHERE subject_id = $1', [id])).toEqual(
      [],
    );
  });
});

test.each(steps)('a production withdrawal can’t be changed by `%s`, even as sandbox', async (step) => {
  const { id, tenant } = await pending(world, { amount: 20_000 }, { autoApproveLimit: 0 });
  const before = await world.rowOf(id);

  const answers = [
    await play(tenant, id, step),
    await play({ ...tenant, environment: 'sandbox' }, id, step),
    await play(tenant, newId(), step),
  ];

  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
    [403, 'SANDBOX_ONLY'],
    [404, 'NOT_FOUND'],
    [403, 'SANDBOX_ONLY'],
  ]);
  expect(await world.rowOf(id)).toEqual(before);
});

const wrong = (field: string, type: string) =>
  `${field}: the check digits of this ${type} are wrong; production refuses it`;

test.each([
  ['CPF', '123.456.789-00', wrong('pixKey', 'CPF')],
  ['CNPJ', '12345678000100', wrong('pixKey', 'CNPJ')],
  ['CPF', '12345678909', null],
  ['PHONE', '11987654321', null],
])('a sandbox withdrawal to the %s %s has the warning %s', async (pixKeyType, pixKey, warning) => {
  const merchant = world.newMerchant({}, 'sandbox');

  const { status, headers } = await world.client.create(merchant, newOrder({ pixKeyType, pixKey }));

  expect([status, headers.get('x-sandbox-warning')]).toEqual([201, warning]);
});

test('the sandbox warns of destinations that production refuses', async () => {
  const key = await save(world, newTenant(), { type: 'PIX', pixKeyType: 'CPF', pixKey: '12345678900' });
  const account = await save(world, newTenant(), { ...bankBody, holderDocument: '12345678900' });
  const good = await save(world, newTenant(), { ...bankBody, holderDocument: '12345678909' });

  const said = [key, account, good].map(({ status, headers }) => [status, headers.get('x-sandbox-warning')]);
  expect(said).toEqual([
    [201, wrong('pixKey', 'CPF')],
    [201, wrong('holderDocument', 'CPF')],
    [201, null],
  ]);
});
