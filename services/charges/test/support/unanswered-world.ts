import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startCardWorld } from './card-world.ts';

/** How long an approved payment waits for the same request. */
export const HORIZON_SECONDS = 15 * 60;

/** A clock that looks often at payments whose outcome no answer has confirmed. */
export async function startUnansweredWorld() {
  const world = await startCardWorld({ tuning: { leaseMs: 300 } });

  return {
    ...world,
    /** The clock has looked at it, and will not again for a while. */
    async restsAWhile(externalId: unknown): Promise<void> {
      const resting = `SELECT 1 FROM charges WHERE external_id = $1 AND next_check_at > now() + interval '10 s'`;
      await eventually(async () => expect(await world.database.query(resting, [externalId])).toHaveLength(1));
    },
    /** One that was approved, as the scheduler has found out. */
    async approved() {
      const story = await world.unanswered();
      await world.letPass(story.externalId, 0);
      await world.become(story.externalId, { status: 'PENDING', acquirer_id: story.payment?.id });
      return story;
    },
  };
}
