import { z } from 'zod';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { cents, id, nullableText, oneOf, timestamp } from '../fields.ts';
import { chargeStatuses } from './charge-view.ts';

const steps = [
  'created',
  'paid',
  'expired',
  'cancelled',
  'refund_requested',
  'refund_accepted',
  'refunded',
  'refund_failed',
  'unexpected_payment_received',
  'unexpected_payment_returned',
  'dispute_opened',
  'evidence_sent',
  'dispute_resolved',
] as const;

const waits = [
  'payment',
  'provider',
  'evidence',
  'decision',
  'refund',
  'stop',
  'return',
  'settlement',
] as const;

const step = z
  .object({
    at: timestamp,
    what: oneOf(steps),
    objectId: id.nullable().meta({
      description: 'Of the refund, the unexpected payment or the dispute; null: of the charge itself.',
    }),
    amount: cents.nullable().meta({ description: 'Cents.' }),
    reason: nullableText.meta({
      description:
        'Yours of a refund, its failureReason, the cause of an unexpected payment, the reason or the end of a dispute.',
    }),
    endToEndId: nullableText.meta({
      description: 'Of the Pix that paid, that came unexpectedly, or that returned the money.',
    }),
  })
  .meta({ id: 'ChargeStep' });

export type ChargeStepView = z.infer<typeof step>;

const timeline = z
  .object({
    chargeId: id,
    status: z.enum(chargeStatuses),
    waitingFor: z
      .object({
        what: oneOf(waits).meta({
          description:
            'payment: the buyer’s, until it expires. provider: its word on the charge. evidence: yours, until the deadline. ' +
            'decision: of a dispute. refund: the provider’s word on it. stop: we hold refunds up for now. return: unexpected ' +
            'money is on its way back. settlement: the day its money is available.',
        }),
        since: timestamp,
        until: timestamp.nullable(),
      })
      .nullable()
      .meta({ description: 'What it waits for now; null: nothing is to come.' }),
    steps: z.array(step).meta({
      description: 'Oldest first. A charge that was cancelled before version 0.3 has no step of that.',
    }),
  })
  .meta({ id: 'ChargeTimeline' });

export type ChargeTimelineView = z.infer<typeof timeline>;

export const chargeTimeline = endpointsOf('charges', {
  readChargeTimeline: {
    route: 'GET /v1/charges/:id/timeline',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read what happened to a charge, and what it waits for now',
    description: 'Its payment, refunds, disputes, and money that came for it and paid nothing.',
    data: timeline,
  },
} as const satisfies Record<string, Definition>);
