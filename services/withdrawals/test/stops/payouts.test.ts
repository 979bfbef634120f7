import { describe, expect, test } from '@jest/globals';
import type { StopView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { blocking, eventually } from '@plataforma/testing';
import { NO_BROKER } from '@plataforma/testing/world';
import { pendingTed } from '../operators/support/states.ts';
import { agreeingWorld, type Followed, follow, followed } from '../payout/support/payouts.ts';
import { startWorld } from '../support/world.ts';

// Run without a broker, because a stop must work while the broker is down.
const world = agreeingWorld(() => startWorld({ brokerUrl: NO_BROKER }));

/** Waits until the scheduler has postponed the withdrawal by more than the length of a lease. */
const rests = ({ id }: Followed) =>
  eventually(async () => {
    const next = Number((await world.rowOf(id))?.next_check_at);
    expect(next - Date.now()).toBeGreaterThan(31_000);
  });
/** Postpones the withdrawal by an hour, so that only the end of the stop can make it due. */
const putFarOff = ({ id }: Followed) =>
  world.database.query(`UPDATE withdrawals SET next_check_at = now() + interval '1 hour' WHERE id = $1`, [
    id,
  ]);
/** Waits until the scheduler has paid the withdrawal. */
const endsByItself = (withdrawal: Followed) =>
  eventually(async () =>
    expect(await withdrawal.now()).toMatchObject({ status: 'COMPLETED', waitingFor: null }),
  );
const ordersOf = ({ id }: Followed) => world.bank.requestsFor(id, 'order').length;
const waitsFor = ({ stoppedAt }: StopView) => ({ what: 'stop', since: stoppedAt });

async function newWithdrawal(tenant: Tenant): Promise<Followed> {
  return followed(world, tenant, await world.client.newWithdrawal(tenant));
}

const scopes: [string, (tenant: Tenant) => Record<string, unknown>][] = [
  ['all merchants', () => ({})],
  ['one provider', () => ({ provider: 'payout' })],
  ['one merchant', ({ merchantId }) => ({ merchantId })],
  ['one merchant at one provider', ({ merchantId }) => ({ merchantId, provider: 'payout' })],
];

describe.each(scopes)('a stop of payouts of %s', (_whose, of) => {
  test('delays a withdrawal, which resumes when the stop ends', async () => {
    const tenant = world.newMerchant();
    const earlier = await newWithdrawal(tenant);
    await endsByItself(earlier);
    const stop = await world.stopControls.stop({ what: 'payouts', ...of(tenant) });

    const withdrawal = await newWithdrawal(tenant);
    await rests(withdrawal);
    const stopped = await withdrawal.now();
    const { data: asOperator } = await world.client.asOperator(`/withdrawals/${withdrawal.id}`);
    const { data: listed } = await world.client.list(tenant);
    const ordered = ordersOf(withdrawal);
    const events = await withdrawal.announcedEnds();
    await putFarOff(withdrawal);
    await world.stopControls.startAgain(stop);

    expect(stopped).toMatchObject({
      status: 'APPROVED',
      waitingFor: { what: 'stop', since: stopped.createdAt },
    });
    expect(asOperator).toMatchObject({ waitingFor: stopped.waitingFor });
    expect(listed).toMatchObject([{ waitingFor: stopped.waitingFor }, { waitingFor: null }]);
    expect(JSON.stringify([stopped, listed])).not.toContain('incidente');
    expect([ordered, events]).toEqual([0, []]);
    await endsByItself(withdrawal);
    expect(ordersOf(withdrawal)).toBe(1);
  });
});

test.each([
  ['another merchant', () => ({ merchantId: newId() })],
  ['another merchant at the provider', () => ({ merchantId: newId(), provider: 'payout' })],
])('a stop of %s does not delay this merchant', async (_whose, of) => {
  const stop = await world.stopControls.stop({ what: 'payouts', ...of() });

  await endsByItself(await newWithdrawal(world.newMerchant()));

  await world.stopControls.startAgain(stop);
});

test('a TED waits for its merchant’s stop, not a provider’s', async () => {
  const tenant = world.newMerchant();
  const stops = [
    await world.stopControls.stop({ what: 'payouts', merchantId: tenant.merchantId }),
    await world.stopControls.stop({ what: 'payouts', provider: 'payout' }),
  ] as const;
  const ted = await pendingTed(world, tenant);

  await world.client.approve(ted.id, newId());
  await rests(ted);
  const stopped = await ted.now();
  await world.stopControls.startAgain(stops[0]);

  expect(stopped).toMatchObject({ status: 'APPROVED', waitingFor: { what: 'stop' } });
  await eventually(async () =>
    expect(await ted.now()).toMatchObject({ status: 'PROCESSING', waitingFor: { what: 'transfer' } }),
  );
  await world.stopControls.startAgain(stops[1]);
});

test('an order sent before a stop still records its end', async () => {
  world.bank.paysAtOnce(false);
  const withdrawal = await follow(world);
  await eventually(async () => expect((await withdrawal.now()).providerTxId).not.toBeNull());
  world.bank.paysAtOnce(true);

  const stop = await world.stopControls.stop({ what: 'payouts' });
  const meanwhile = await withdrawal.now();
  world.bank.end(withdrawal.id, 'REALIZADO');
  await world.client.notify(withdrawal.id);

  await endsByItself(withdrawal);
  expect(meanwhile).toMatchObject({ status: 'PROCESSING', waitingFor: { what: 'provider' } });
  await world.stopControls.startAgain(stop);
});

test('an order awaiting a token stays unsent during a stop', async () => {
  const fresh = await startWorld({ brokerUrl: NO_BROKER });
  try {
    const blocked = blocking();
    fresh.bank.next('token', blocked.behaviour);
    const withdrawal = await follow(fresh);
    await blocked.arrived;
    const stop = await fresh.stopControls.stop({ what: 'payouts' });

    blocked.release();
    await withdrawal.awaitRequests('find', 2);
    const waiting = await withdrawal.now();
    const ordered = fresh.bank.requestsFor(withdrawal.id, 'order').length;
    const row = await fresh.rowOf(withdrawal.id);
    await fresh.stopControls.startAgain(stop);

    expect(waiting).toMatchObject({ status: 'PROCESSING', waitingFor: waitsFor(stop) });
    expect([ordered, row?.doubted_at]).toEqual([0, null]);
    await eventually(async () => expect(await withdrawal.now()).toMatchObject({ status: 'COMPLETED' }));
    expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.completed']);
  } finally {
    await fresh.stop();
  }
});
