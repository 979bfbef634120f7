import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ChargeView } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { Operation } from './support/fake-pix.ts';
import { newTenant } from './support/identity.ts';
import { type PaidCharge, startRefundWorld } from './support/refund-world.ts';
import { startHourAhead } from './support/service-process.ts';
import type { Replica } from './support/world.ts';

const tenant = newTenant();
const world = worldOfFile(() => startRefundWorld({ tuning: { firstPollMs: 300 } }));
/** A replica whose clock is right. It runs alone after the replica with the wrong clock has ended. */
let successor: Replica;
let listed: ChargeView;
let queried: ChargeView;
let unpaid: ChargeView;
let contested: PaidCharge;
let refunded: PaidCharge;

const requestsOf = (operation: Operation) =>
  world.provider.requests.filter((request) => request.operation === operation);
const statusOf = async ({ id }: ChargeView) => (await successor.client.charge(tenant, id)).status;

/** Runs a replica whose clock is an hour ahead until it has done all due work, and then ends the replica. */
async function passAnHourAhead(): Promise<void> {
  world.provider.requests.length = 0;
  const ahead = await startHourAhead(world.env);
  await eventually(() => {
    // Each environment has two lists of payments: recent payments and late payments.
    expect(requestsOf('list-payments').length).toBeGreaterThanOrEqual(4);
    expect(requestsOf('list-infractions').length).toBeGreaterThanOrEqual(2);
    for (const { txid } of [queried, unpaid])
      expect(world.provider.requestsFor(txid, 'read')).not.toHaveLength(0);
    expect(world.provider.requestsFor(refunded.pix, 'find-refund')).not.toHaveLength(0);
  });
  await ahead.terminate();
}

beforeAll(async () => {
  const newCharge = () => world.client.newCharge(tenant, { expiresIn: 1800 });
  [listed, queried, unpaid] = [await newCharge(), await newCharge(), await newCharge()];
  [contested, refunded] = [await world.paidCharge(), await world.paidCharge()];
  world.provider.book.returns.willBe(refunded.pix, 'EM_PROCESSAMENTO');
  await refunded.refund();
  await refunded.becomes('ACCEPTED');
  await world.first.stop();
  await passAnHourAhead();
  successor = await world.startReplica();
});

describe('after a replica with a clock an hour ahead', () => {
  test('no list was requested for the future', () => {
    const lists = [...requestsOf('list-payments'), ...requestsOf('list-infractions')];
    const periods = lists.map(({ query, at }) => ({
      from: Date.parse(query.get('inicio') ?? ''),
      to: Date.parse(query.get('fim') ?? ''),
      at,
    }));

    expect(periods.filter(({ from, to, at }) => !(from < to && to <= at))).toEqual([]);
  });

  test('a payment from the list alone is recorded', async () => {
    world.provider.book.payKey(listed.amount, listed.txid);

    await eventually(async () => expect(await statusOf(listed)).toBe('PAID'));
  });

  test('a contested payment is disputed', async () => {
    world.provider.book.infractions.report(contested.pix, 1700);

    const opened = 'SELECT 1 FROM disputes WHERE charge_id = $1';
    await eventually(async () => expect(await world.database.query(opened, [contested.id])).toHaveLength(1));
  });

  test('a charge is checked again and its payment is found', async () => {
    world.provider.book.pay(queried.txid);

    await eventually(async () => expect(await statusOf(queried)).toBe('PAID'));
  });

  test('an unexpired charge can still be paid', async () => {
    expect(await statusOf(unpaid)).toBe('PENDING');
  });

  test('a refund in progress at the provider completes', async () => {
    world.provider.book.returns.end(refunded.pix, 'DEVOLVIDO');

    await refunded.becomes('DONE');
  });
});
