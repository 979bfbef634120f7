import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { startHourAhead } from '../support/service-process.ts';

const world = worldOfFile(() => startCardWorld({ tuning: { leaseMs: 300 } }));

/**
 * Waits until the scheduler has recorded the approval and left the charge open for a repeated request. The
 * scheduler's next check is then more than ten minutes away.
 */
async function isKept(externalId: unknown): Promise<void> {
  const foundByScheduler = `
    SELECT 1 FROM charges
    WHERE external_id = $1 AND acquirer_id IS NOT NULL AND next_check_at > now() + interval '10 min'`;
  await world.letPass(externalId, 0);
  await eventually(async () =>
    expect(await world.database.query(foundByScheduler, [externalId])).toHaveLength(1),
  );
}

test('a replica with a fast clock voids no payment too early', async () => {
  const { shop, order, externalId } = await world.unanswered();
  const later = await world.unanswered();
  await world.first.stop();
  const ahead = await startHourAhead(world.env);

  await isKept(externalId);
  // After this wait, the scheduler has completed another pass. If the fast clock had made the first payment
  // due, that pass would have checked it too.
  await isKept(later.externalId);
  await ahead.terminate();
  const successor = await world.startReplica();
  const { status, data } = await successor.client.create(shop, order);

  expect([status, data]).toEqual([200, expect.objectContaining({ status: 'PAID' })]);
  expect(world.acquirer.requests.filter(({ operation }) => operation === 'cancel')).toEqual([]);
});
