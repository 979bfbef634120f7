import { afterEach, describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { brokenPromises } from './support/books.ts';
import { paid, refundOf, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { changeWallet, failure } from './support/wallet-calls.ts';
import { sharedWorld, type World } from './support/world.ts';

type Ledger = World['first'];

const world = worldOfFile(sharedWorld);
const other = beforeFile(() => world.startReplica());
afterEach(async () => {
  expect(await brokenPromises(world.database)).toEqual([]);
  expect(await world.deadLetters()).toEqual([]);
});

interface Order {
  id: string;
  [field: string]: unknown;
}

/** A route that debits a merchant. Its request can be repeated with the same id. */
interface DebitRoute {
  orderOf: (charge: ReturnType<typeof paid>, amount: number, id?: string) => Order;
  send: (order: object, ledger: Ledger) => ReturnType<World['refund']>;
  done: number;
  /** The expected status if a refused request is repeated after the merchant has received enough money. */
  afterRefusal: number;
  /** Requests with the same id and different data, which the ledger must refuse. */
  others: Record<string, (order: Order) => object>;
}

const ownerOf = ({ merchantId, environment }: Tenant) => ({ merchantId, environment });
const anotherOwner = {
  merchant: (order: Order) => ({ ...order, ...newTenant() }),
  environment: (order: Order) => ({ ...order, environment: 'production' }),
};

const debitRoutes: Record<string, DebitRoute> = {
  refund: {
    orderOf: (charge, amount, id = newId()) => refundOf(charge, { amount, id }),
    send: (order, ledger) => world.refund(order, ledger),
    done: 200,
    afterRefusal: 422,
    others: {
      amount: (order) => ({ ...order, amount: 2_474 }),
      'merchant’s charge': ({ id }) => refundOf(paid(newTenant()), { id }),
    },
  },
  withdrawal: {
    orderOf: (charge, amount, id = newId()) =>
      withdrawalOf(ownerOf(charge), { id, netAmount: amount - 1, fee: 1 }).order,
    send: (order, ledger) => world.withdraw(order, ledger),
    done: 200,
    afterRefusal: 422,
    others: {
      ...anotherOwner,
      amount: (order) => ({ ...order, netAmount: 2_473 }),
      fee: (order) => ({ ...order, fee: 0 }),
    },
  },
  'change by an operator': {
    orderOf: (charge, amount, id = newId()) => ({ ...ownerOf(charge), id, amount: -amount }),
    send: (order, ledger) => changeWallet(ledger, 'adjustments', order),
    done: 201,
    afterRefusal: 201,
    others: {
      ...anotherOwner,
      amount: (order) => ({ ...order, amount: -2_474 }),
      sign: (order) => ({ ...order, amount: 2_475 }),
      description: (order) => ({ ...order, description: 'another' }),
    },
  },
};

describe.each(Object.entries(debitRoutes))('a repeated %s', (_name, route) => {
  const { orderOf, send, done, afterRefusal, others } = route;

  /** Posts a paid charge of a new merchant. With the default fee the merchant receives 2,475 cents. */
  async function posted(fee = 25) {
    const charge = paid(newTenant(), { feeAmount: fee });
    await world.deliver(charge);
    return charge;
  }

  async function expectDoneOnce({ merchantId, environment }: Tenant, { id }: Order) {
    expect(await world.balanceOf({ merchantId, environment })).toMatchObject({ availableBalance: 0 });
    expect(Object.keys(await world.entriesOf(id))).toHaveLength(1);
    const audited = await world.database.query('SELECT FROM audit_log WHERE subject_id = $1', [merchantId]);
    expect(audited).toHaveLength(done === 201 ? 1 : 0);
  }

  test('gets the same response although the money is gone', async () => {
    const charge = await posted();
    const order = orderOf(charge, 2_475);
    const first = await send(order, world.first);

    const again = await send(order, other);

    expect(first).toMatchObject({ status: done, answer: { success: true, data: { id: order.id } } });
    expect(again).toEqual(first);
    await expectDoneOnce(charge, order);
  });

  test('sent twenty times to two replicas is done once', async () => {
    const charge = await posted();
    const order = orderOf(charge, 2_475);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => send(order, number % 2 ? other : world.first)),
    );

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(done);
    await expectDoneOnce(charge, order);
  });

  test.each(Object.entries(others))('with another %s is refused', async (_what, otherOf) => {
    const charge = await posted();
    const order = orderOf(charge, 2_475);
    await send(order, world.first);

    expect(await send(otherOf(order), world.first)).toEqual(failure(409, 'INVALID_STATE'));
    await expectDoneOnce(charge, order);
  });

  test('follows its rule after a refusal, and new ones succeed', async () => {
    const charge = await posted(2_500);
    const order = orderOf(charge, 100);
    const first = await send(order, world.first);
    await world.deliver(paid(ownerOf(charge)));

    const again = [await send(order, world.first), await send(order, other)];
    const another = await send(orderOf(charge, 100), world.first);

    expect(first).toEqual(failure(422, 'INSUFFICIENT_BALANCE'));
    expect([...again, another].map(({ status }) => status)).toEqual([afterRefusal, afterRefusal, done]);
  });

  test('of two merchants with one id is done for one', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const id = newId();
      const [one, two] = [orderOf(await posted(), 5, id), orderOf(await posted(), 5, id)];

      const answers = await Promise.all([send(one, world.first), send(two, other)]);

      expect(answers.map(({ status }) => status).sort()).toEqual([done, 409]);
      expect(Object.keys(await world.entriesOf(id))).toHaveLength(1);
    }
  });
});

test('a refund with the id of another refund is refused', async () => {
  const tenant = newTenant();
  const [charge, other] = [paid(tenant), paid(tenant)];
  await world.deliver(charge, other);
  const refund = refundOf(charge);
  expect(await world.refund(refund)).toMatchObject({ status: 200 });

  expect(await world.refund(refundOf(other, { id: refund.id }))).toEqual(failure(409, 'INVALID_STATE'));

  expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475 });
  expect(Object.keys(await world.entriesOf(refund.id))).toHaveLength(1);
});
