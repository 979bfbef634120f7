import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { agreeingWorld } from '../payout/support/payouts.ts';
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
