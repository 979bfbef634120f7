import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { startHourAhead } from '../support/service-process.ts';

const world = worldOfFile(() => startCardWorld({ tuning: { leaseMs: 300 } }));

/** Waits until the scheduler has found the approved payment and keeps it for its caller. */
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
  // If the first payment was due, the replica has checked it once more by now.
  await isKept(later.externalId);
  await ahead.terminate();
  const successor = await world.startReplica();
  const { status, data } = await successor.client.create(shop, order);

  expect([status, data]).toEqual([200, expect.objectContaining({ status: 'PAID' })]);
  expect(world.acquirer.requests.filter(({ operation }) => operation === 'cancel')).toEqual([]);
});
