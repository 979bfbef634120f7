import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { agreeingWorld } from '../payout/support/payouts.ts';
import { decisionOf } from '../support/client.ts';
import { operatorHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';
import { auditOf, pending, states } from './support/states.ts';

const world = agreeingWorld(startWorld);

const decisions = ['approve', 'reject', 'complete', 'fail'] as const;

/** The steps that operators may take in each state. The service refuses all other steps. */
const allowed: Record<string, readonly string[]> = {
  PENDING: ['approve', 'reject'],
  'PROCESSING, a TED': ['complete', 'fail'],
};

describe('an operator', () => {
  test.each(Object.keys(states))('can’t take an invalid step in state %s', async (state) => {
    const withdrawal = await states[state]?.(world);
    if (!withdrawal) throw new Error('there is no such state');
    // Remove the due time, so that the scheduler does not change this withdrawal during the test.
    await world.database.query('UPDATE withdrawals SET next_check_at = NULL WHERE id = $1', [withdrawal.id]);
    const [before, audited] = [await withdrawal.now(), await auditOf(world, withdrawal)];
    const events = await withdrawal.announcedEnds();

    for (const step of decisions.filter((each) => !allowed[state]?.includes(each))) {
      expect(await world.client[step](withdrawal.id, newId())).toMatchObject({
        status: 409,
        error: { code: 'INVALID_STATE' },
      });
    }

    expect(await withdrawal.now()).toEqual(before);
    expect(await auditOf(world, withdrawal)).toEqual(audited);
    expect(await withdrawal.announcedEnds()).toEqual(events);
  });

  test.each(['DEBITING', 'REFUSED', 'ABANDONED'])('finds no withdrawal that is %s', async (status) => {
    const { id } = await pending(world);
    const unseen = `UPDATE withdrawals SET status = $2, ended_at = CASE WHEN $2 <> 'DEBITING' THEN now() END
      WHERE id = $1`;
    await world.database.query(unseen, [id, status]);

    for (const step of decisions) {
      expect(await world.client[step](id, newId())).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    }
    expect(await world.client.asOperator(`/withdrawals/${id}`)).toMatchObject({ status: 404 });
    await world.database.query(`UPDATE withdrawals SET status = 'PENDING', ended_at = NULL WHERE id = $1`, [
      id,
    ]);
  });
});

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

const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
const operatorId = newId();
function post(name: string, factorAt: number | null, body?: object) {
  const path = `/v1/admin/${name}`;
  const headers = operatorHeader({ operatorId, factorAt });
  return world.client.send(path, decisionOf(path, { operatorId, headers, body }));
}

describe('an approval', () => {
  test.each([minutesAgo(6), null])(
    'needs a second factor of the last five minutes, not %p',
    async (factorAt) => {
      const withdrawal = await pending(world);
      const path = `withdrawals/${withdrawal.id}/approve`;

      const refused = await post(path, factorAt);

      expect(refused).toMatchObject({ status: 403, error: { code: 'SECOND_FACTOR_STALE' } });
      expect([await auditOf(world, withdrawal), await withdrawal.now()]).toMatchObject([
        [],
        { status: 'PENDING' },
      ]);
      expect(await post(path, minutesAgo(4))).toMatchObject({ status: 200, data: { status: 'APPROVED' } });
    },
  );
});

test('a rejection needs no fresh second factor', async () => {
  const withdrawal = await pending(world);

  const { status } = await post(`withdrawals/${withdrawal.id}/reject`, minutesAgo(60), {
    reason: 'não confere',
  });

  expect(status).toBe(200);
});

test.each([
  ['the end of a stop', `stops/${newId()}/start`, undefined],
  ['a settled alarm', `withdrawals/alarms/${newId()}/settle`, { note: 'conferido' }],
  ['a paid TED', `withdrawals/${newId()}/complete`, { providerTxId: 'TED-1' }],
  ['a returned TED', `withdrawals/${newId()}/fail`, { reason: 'devolvida', bankReference: 'DEV-1' }],
  ['a repeated debit', `withdrawals/${newId()}/debit`, { note: 'conferido' }],
  ['the end of a payout without a debit', `withdrawals/${newId()}/fail-undebited`, { note: 'conferido' }],
])('%s needs a fresh second factor', async (_what, path, body) => {
  const refused = await post(path, minutesAgo(6), body);
  const found = await post(path, minutesAgo(4), body);

  expect([refused.status, refused.error?.code, found.status]).toEqual([403, 'SECOND_FACTOR_STALE', 404]);
});

// The last test of the file, because it stops the gateway.
test('an automatic approval waits while the merchant’s status is unavailable', async () => {
  const withdrawal = await forTomorrow();
  await world.database.query('DELETE FROM merchants WHERE id = $1', [withdrawal.tenant.merchantId]);
  await world.gateway.stop();
  await world.makePayable(withdrawal.id);

  await eventually(async () => expect(Number((await world.rowOf(withdrawal.id))?.checks)).toBeGreaterThan(1));

  expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
});
