import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Behaviour, doneThen, error500, eventually, holding, reset } from '@plataforma/testing';
import { startWorld, type World } from '../support/world.ts';
import { claimed, leaseRunsOut, replicaWith } from './support/claims.ts';
import { disagreements, type Followed, follow } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ tuning: { doubtMs: 60_000 } });
});
afterEach(() => world.bank.always('find'));
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

const refused: Behaviour = () => ({ status: 400, body: { nome: 'chave_invalida', mensagem: 'não' } });

/** A withdrawal whose first order's answer was lost, and whose second order was refused. */
async function doubted(first: Behaviour = reset): Promise<Followed> {
  world.bank.next('order', first, refused);
  world.bank.next('find', () => ({ status: 404, body: { nome: 'envio_nao_encontrado' } }));
  const withdrawal = await follow(world);
  await withdrawal.isAsked('order', 2);
  await eventually(async () =>
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ doubt_reason: 'invalid_key' }),
  );
  return withdrawal;
}

/** The rest is over: no order can still be on its way. */
async function letItRest({ id }: Followed): Promise<void> {
  const sql = `UPDATE withdrawals SET doubted_at = doubted_at - interval '1 hour', next_check_at = now() WHERE id = $1`;
  await world.database.query(sql, [id]);
}

/** From the doubt to the next look, in ms. */
async function restOf({ id }: Followed): Promise<number> {
  const { doubted_at: since, next_check_at: next } = (await world.rowOf(id)) ?? {};
  return Number(next) - Number(since);
}

const ordersOf = ({ id }: Followed) => world.bank.requestsFor(id, 'order').length;

describe('an order refused after one whose answer was lost', () => {
  test('rests, and ends nothing meanwhile', async () => {
    const withdrawal = await doubted();

    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING', failureReason: null });
    expect(await withdrawal.told()).toEqual([]);
  });

  test('is FAILED when the bank knows of nothing after the rest, and was not ordered a third time', async () => {
    const withdrawal = await doubted();

    await letItRest(withdrawal);

    expect(await withdrawal.becomes('FAILED')).toMatchObject({ failureReason: 'invalid_key' });
    expect(ordersOf(withdrawal)).toBe(2);
    expect(await withdrawal.told()).toEqual(['withdrawal.failed']);
  });

  test('is COMPLETED when the first order was carried out late', async () => {
    let carryOut = () => {};
    const withdrawal = await doubted((perform) => {
      carryOut = () => void perform();
      return 'reset';
    });
    carryOut();

    await letItRest(withdrawal);

    await withdrawal.becomes('COMPLETED');
    expect(ordersOf(withdrawal)).toBe(2);
    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
    expect(await world.rowOf(withdrawal.id)).toMatchObject({ doubt_reason: null, doubted_at: null });
  });

  test('is COMPLETED at once when the bank had taken the first one all the time', async () => {
    const withdrawal = await doubted(doneThen('reset'));

    await world.client.notify(withdrawal.id);

    await eventually(async () => expect(await withdrawal.now()).toMatchObject({ status: 'COMPLETED' }));
  });

  test('stays PROCESSING after the rest while the bank says nothing definite', async () => {
    const withdrawal = await doubted();
    world.bank.always('find', error500);
    const before = world.bank.requestsFor(withdrawal.id, 'find').length;
    await letItRest(withdrawal);

    await withdrawal.isAsked('find', before + 3);

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    world.bank.always('find');
    await withdrawal.becomes('FAILED');
  });
});

describe('a notice during the rest', () => {
  test('has the bank asked, and decides nothing early', async () => {
    const withdrawal = await doubted();
    const asked = () => world.bank.requestsFor(withdrawal.id, 'find').length;
    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));
    const before = asked();

    await world.client.notify(withdrawal.id);
    await eventually(() => expect(asked()).toBe(before + 1));

    // It rests on until the time it would have rested to.
    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    expect([ordersOf(withdrawal), await withdrawal.told()]).toEqual([2, []]);
  });

  test('that comes while the bank is being asked has it asked once more', async () => {
    const withdrawal = await doubted();
    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));
    const before = world.bank.requestsFor(withdrawal.id, 'find').length;
    const held = holding();
    world.bank.next('find', held.behaviour);
    await world.client.notify(withdrawal.id);
    await held.arrived;

    await world.client.notify(withdrawal.id);
    held.release();

    await eventually(() => expect(world.bank.requestsFor(withdrawal.id, 'find').length).toBe(before + 2));
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
  });
});

/** Follows an unconfirmed payout so long after its refusal; the bank takes eight seconds to know of nothing. */
async function followAfter(ms: number, { id }: Followed, meanwhile = async () => {}): Promise<void> {
  const { doubted_at: since } = (await world.rowOf(id)) ?? {};
  let now = Number(since) + ms;
  const clock = () => new Date(now);
  const replica = replicaWith(world, {
    clock,
    find: async () => {
      now += 8_000;
      await meanwhile();
      return null;
    },
  });
  await replica.advance(await claimed(world, id, clock));
}

describe('an answer that the bank knows of nothing', () => {
  test('settles nothing when it was asked before the rest was over, however late it comes', async () => {
    const withdrawal = await doubted();
    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));

    await followAfter(59_999, withdrawal);
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });

    await followAfter(60_000, withdrawal);
    expect(await withdrawal.now()).toMatchObject({ status: 'FAILED' });
  });

  test('settles nothing when somebody has heard meanwhile that the bank is at it', async () => {
    const withdrawal = await doubted();
    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));
    const settle = `UPDATE withdrawals SET accepted_at = now(), doubt_reason = NULL, doubted_at = NULL WHERE id = $1`;

    await followAfter(60_000, withdrawal, async () => {
      await world.database.query(settle, [withdrawal.id]);
    });

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    expect(await withdrawal.told()).toEqual([]);
  });

  test('raises no alarm about one that somebody has completed meanwhile', async () => {
    // However early the clock looks.
    world.bank.always('find', () => ({ status: 404, body: { nome: 'envio_nao_encontrado' } }));
    const withdrawal = await doubted(doneThen('reset'));
    await eventually(async () => expect(await restOf(withdrawal)).toBe(60_000));

    await followAfter(60_000, withdrawal, async () => {
      world.bank.always('find');
      await leaseRunsOut(world, withdrawal.id);
      await withdrawal.becomes('COMPLETED');
    });

    expect(await withdrawal.now()).toMatchObject({ status: 'COMPLETED' });
    expect(await world.database.query('SELECT FROM payout_alarms')).toEqual([]);
  });
});
