import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { withdrawalOf } from './support/emitter.ts';
import { failure, merchantIn, success } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);
const other = beforeFile(() => world.startReplica());
afterEach(async () => expect(await world.deadLetters()).toEqual([]));

const merchant = () => merchantIn(world);

describe('an abandoned withdrawal', () => {
  test.each([
    ['before its debit', true],
    ['after its debit', false],
  ])('%s leaves the merchant its money, also after a repetition', async (_when, isFirst) => {
    const tenant = await merchant();
    const { id, order, abandoned } = withdrawalOf(tenant);
    if (isFirst) await world.deliver(abandoned);
    const first = await world.withdraw(order);
    await world.deliver(abandoned, abandoned);

    const again = await world.withdraw(order, other);

    expect([first, again]).toEqual(
      isFirst
        ? [failure(422, 'INSUFFICIENT_BALANCE'), failure(422, 'INSUFFICIENT_BALANCE')]
        : [success(id), success(id)],
    );
    const entries = isFirst ? [] : ['withdrawal_created', 'withdrawal_returned'];
    expect(Object.keys(await world.entriesOf(id)).sort()).toEqual(entries);
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_475, totalWithdrawn: 0 });
  });

  test('while its debit is requested leaves the merchant its money', async () => {
    for (let round = 0; round < rounds(30); round += 1) {
      const tenant = await merchant();
      const { id, order, abandoned } = withdrawalOf(tenant);
      const announced = world.emitter.announce(abandoned);
      // In every second round the event is sent before the request for the debit. In the other rounds event
      // and request are sent at the same time.
      if (round % 2) await announced;

      const { status } = await world.withdraw(order, round % 4 < 2 ? other : world.first);

      expect([200, 422]).toContain(status);
      await eventually(async () => {
        const returned = (await world.entriesOf(id)).withdrawal_returned;
        const refused = await world.database.query('SELECT FROM debit_answers WHERE id = $1', [id]);
        expect(returned ? 200 : refused.length > 0 && 422).toBe(status);
      });
      expect(await world.balanceOf(tenant)).toMatchObject({
        availableBalance: 2_475,
        totalWithdrawn: 0,
        totalFeesPaid: 25,
      });
    }
  });
});
