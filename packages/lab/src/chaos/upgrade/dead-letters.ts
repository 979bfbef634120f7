import { producers, typesOf } from '@plataforma/events';
import { z } from 'zod';
import { type Finding, violation } from '../check/finding.ts';
import type { Replacements } from './steps.ts';

export const deadLetter = z.object({
  service: z.string(),
  /** The type of the event. Null if the event could not be read. */
  type: z.string().nullable(),
  isReplayed: z.boolean(),
  /** The time at which the event became a dead letter, in milliseconds since 1970. */
  diedAt: z.number(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/**
 * Reports dead letters that the documented upgrade order avoids. Permits those of old replicas while the
 * producer is old, because old replicas refuse events of a new subscription.
 */
export function judgeDeadLetters(letters: readonly DeadLetter[], replacements: Replacements): Finding[] {
  return letters
    .filter(({ service, type, diedAt }) => {
      const producer = producers.find((one) => typesOf(one).some((produced) => produced === type));
      const oldProducerUntil = (producer && replacements.get(producer)?.startedAt) ?? 0;
      const oldReplicasUntil = replacements.get(service)?.endedAt ?? 0;
      return diedAt >= Math.min(oldProducerUntil, oldReplicasUntil);
    })
    .map(({ service, type }) => violation(8, `${service} set ${type ?? 'an unreadable event'} aside`));
}
