import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startCardWorld } from './card-world.ts';

/**
 * The time for which an approved payment waits for a repeat of its request. It starts at the creation of the
 * charge.
 */
export const HORIZON_SECONDS = 15 * 60;

/** Starts a test environment whose scheduler often checks payments with an unknown outcome. */
export async function startUnansweredWorld() {
  const world = await startCardWorld({ tuning: { leaseMs: 300 } });

  return {
    ...world,
    /**
     * Waits until the scheduler has checked the payment and will not check it again for at least ten seconds.
     */
    async restsAWhile(externalId: unknown): Promise<void> {
      const resting = `SELECT 1 FROM charges WHERE external_id = $1
        AND next_check_at > now() + interval '10 s'`;
      await eventually(async () => expect(await world.database.query(resting, [externalId])).toHaveLength(1));
    },
    /** Makes a payment that the acquirer has approved. Only the scheduler knows of the approval. */
    async approved() {
      const story = await world.unanswered();
      await world.letPass(story.externalId, 0);
      await world.become(story.externalId, { status: 'PENDING', acquirer_id: story.payment?.id });
      return story;
    },
  };
}
