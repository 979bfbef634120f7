import { producers, typesOf } from '@plataforma/events';
import { z } from 'zod';
import { type Finding, violation } from '../check/finding.ts';
import type { Replacements } from './steps.ts';

export const deadLetter = z.object({
  service: z.string(),
  /** Null for an unreadable event. */
  type: z.string().nullable(),
  isReplayed: z.boolean(),
  /** Milliseconds of the epoch. */
  diedAt: z.number(),
});
export type DeadLetter = z.infer<typeof deadLetter>;

/**
 * Finds the dead letters that a replacement in the right order avoids. Those of a new subscription are
 * unavoidable, because old replicas share the queue and refuse its events.
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
