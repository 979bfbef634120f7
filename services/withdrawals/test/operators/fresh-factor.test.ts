import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { agreeingWorld } from '../payout/support/payouts.ts';
import { decisionOf } from '../support/client.ts';
import { operatorHeader } from '../support/identity.ts';
import { startWorld } from '../support/world.ts';
import { auditOf, pending } from './support/states.ts';

const world = agreeingWorld(() => startWorld());

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
])('%s needs a fresh second factor', async (_what, path, body) => {
  const refused = await post(path, minutesAgo(6), body);
  const found = await post(path, minutesAgo(4), body);

  expect([refused.status, refused.error?.code, found.status]).toEqual([403, 'SECOND_FACTOR_STALE', 404]);
});
