import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { disagreements, type Followed } from '../payout/support/payouts.ts';
import { startWorld, type World } from '../support/world.ts';
import { pending } from './support/states.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

/** As news of a merchant leaves it. */
const setStanding = ({ merchantId }: Tenant, status: string) =>
  world.database.query(
    `UPDATE merchants SET snapshot = jsonb_set(snapshot, '{status}', to_jsonb($2::text)) WHERE id = $1`,
    [merchantId, status],
  );

/** Approves itself tomorrow, when its payee is no longer new. */
const forTomorrow = () => pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });

const letTomorrowCome = ({ id }: Followed) =>
  world.database.query(`UPDATE withdrawals SET payable_from = now(), next_check_at = now() WHERE id = $1`, [
    id,
  ]);

describe.each(['SUSPENDED', 'REJECTED'])(
  'what would approve itself, of a merchant that is %s',
  (standing) => {
    test('waits, and goes on when the merchant may again', async () => {
      const withdrawal = await forTomorrow();
      await setStanding(withdrawal.tenant, standing);
      await letTomorrowCome(withdrawal);

      await eventually(async () => {
        const { checks, next_check_at: next } = (await world.rowOf(withdrawal.id)) ?? {};
        expect(Number(checks)).toBeGreaterThan(0);
        // It was looked at, and rests longer than any claim lasts.
        expect(Number(next) - Date.now()).toBeGreaterThan(31_000);
      });
      expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
      expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);

      await setStanding(withdrawal.tenant, 'APPROVED');
      await withdrawal.becomes('COMPLETED');
    });

    test('can be rejected meanwhile', async () => {
      const withdrawal = await forTomorrow();
      await setStanding(withdrawal.tenant, standing);
      await letTomorrowCome(withdrawal);

      expect(await world.client.reject(withdrawal.id, newId())).toMatchObject({ status: 200 });

      expect(await withdrawal.told()).toEqual(['withdrawal.rejected']);
    });
  },
);

test('what approves itself waits while it can’t be known how its merchant stands', async () => {
  const withdrawal = await forTomorrow();
  await world.database.query('DELETE FROM merchants WHERE id = $1', [withdrawal.tenant.merchantId]);
  await world.gateway.stop();
  await letTomorrowCome(withdrawal);

  await eventually(async () => expect(Number((await world.rowOf(withdrawal.id))?.checks)).toBeGreaterThan(1));

  expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
});
