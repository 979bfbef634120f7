import { z } from 'zod';
import { oneOf, timestamp } from '../fields.ts';

/** What may hold up what a merchant has asked for. */
const waitingCauses = ['stop'] as const;

export const waitingFor = z.object({
  what: oneOf(waitingCauses).meta({
    description:
      'stop: we hold such orders up for now. It goes on by itself, and nothing has to be sent again.',
  }),
  since: timestamp,
});

/** Null: nothing holds it up. */
export type WaitingFor = z.infer<typeof waitingFor>;
