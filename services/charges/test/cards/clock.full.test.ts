import { expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { startHourAhead } from '../support/service-process.ts';

const world = worldOfFile(() => startCardWorld({ tuning: { leaseMs: 300 } }));

/** The clock has found the payment, and keeps it for its caller. */
async function isKept(externalId: unknown): Promise<void> {
  const kept = `
    SELECT 1 FROM charges
    WHERE external_id = $1 AND acquirer_id IS NOT NULL AND next_check_at > now() + interval '10 min'`;
  await world.letPass(externalId, 0);
  await eventually(async () => expect(await world.database.query(kept, [externalId])).toHaveLength(1));
}

test('a replica whose clock is an hour ahead gives back no payment that its caller may yet ask about', async () => {
  const { shop, order, externalId } = await world.unanswered();
  const later = await world.unanswered();
  await world.first.stop();
  const ahead = await startHourAhead(world.env);

  await isKept(externalId);
  // By then it has looked once more at the first one, if that is due at all.
  await isKept(later.externalId);
  await ahead.terminate();
  const successor = await world.startReplica();
  const { status, data } = await successor.client.create(shop, order);

  expect([status, data]).toEqual([200, expect.objectContaining({ status: 'PAID' })]);
  expect(world.acquirer.requests.filter(({ operation }) => operation === 'cancel')).toEqual([]);
});
