import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { agreeingWorld } from '../payout/support/payouts.ts';
import { startWorld } from '../support/world.ts';
import { auditOf, pending } from './support/states.ts';

const world = agreeingWorld(startWorld);

/** Creates a withdrawal that the scheduler approves only tomorrow, after the payee's cool-down. */
const forTomorrow = () => pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });

describe.each(['SUSPENDED', 'REJECTED'] as const)(
  'an automatic approval for a merchant that is %s',
  (merchantStatus) => {
    test('waits until the merchant is active again', async () => {
      const withdrawal = await forTomorrow();
      await world.setMerchantStatus(withdrawal.tenant, merchantStatus);
      await world.makePayable(withdrawal.id);

      await eventually(async () => {
        const { checks, next_check_at: next } = (await world.rowOf(withdrawal.id)) ?? {};
        expect(Number(checks)).toBeGreaterThan(0);
        // The scheduler has postponed the withdrawal by more than the length of a lease.
        expect(Number(next) - Date.now()).toBeGreaterThan(31_000);
      });
      expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
      expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);

      await world.setMerchantStatus(withdrawal.tenant, 'APPROVED');
      await withdrawal.becomes('COMPLETED');
    });

    test('allows a rejection meanwhile', async () => {
      const withdrawal = await forTomorrow();
      await world.setMerchantStatus(withdrawal.tenant, merchantStatus);
      await world.makePayable(withdrawal.id);

      expect(await world.client.reject(withdrawal.id, newId())).toMatchObject({ status: 200 });

      expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.rejected']);
    });
  },
);

describe.each(['SUSPENDED', 'REJECTED'] as const)(
  'a withdrawal of a merchant that is %s',
  (merchantStatus) => {
    test('can’t be approved or paid until the merchant is active', async () => {
      const withdrawal = await pending(world);
      await world.setMerchantStatus(withdrawal.tenant, merchantStatus);

      const { status, error } = await world.client.approve(withdrawal.id, newId());

      expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);
      expect(error?.message).toContain(merchantStatus);
      expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
      expect(await auditOf(world, withdrawal)).toEqual([]);

      await world.setMerchantStatus(withdrawal.tenant, 'APPROVED');
      expect(await world.client.approve(withdrawal.id, newId())).toMatchObject({ status: 200 });
      await withdrawal.becomes('COMPLETED');
    });

    test('already approved is not ordered until the merchant is active', async () => {
      const withdrawal = await pending(world, {}, { destinationCooldownHours: 24 });
      await world.client.approve(withdrawal.id, newId());
      await world.setMerchantStatus(withdrawal.tenant, merchantStatus);
      await world.database.query(
        `UPDATE withdrawals SET status = 'APPROVED', next_check_at = now() WHERE id = $1`,
        [withdrawal.id],
      );

      await eventually(async () => {
        const { next_check_at: next } = (await world.rowOf(withdrawal.id)) ?? {};
        expect(Number(next) - Date.now()).toBeGreaterThan(31_000);
      });
      expect(await withdrawal.now()).toMatchObject({ status: 'APPROVED' });
      expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);

      await world.setMerchantStatus(withdrawal.tenant, 'APPROVED');
      await world.makePayable(withdrawal.id);
      await withdrawal.becomes('COMPLETED');
    });
  },
);

test('an automatic approval waits while the merchant’s status is unavailable', async () => {
  const withdrawal = await forTomorrow();
  await world.database.query('DELETE FROM merchants WHERE id = $1', [withdrawal.tenant.merchantId]);
  await world.gateway.stop();
  await world.makePayable(withdrawal.id);

  await eventually(async () => expect(Number((await world.rowOf(withdrawal.id))?.checks)).toBeGreaterThan(1));

  expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
});
