import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { cents, id, nullableText, oneOf } from '../fields.ts';
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
      description:
        'Id of the refund, the unexpected payment or the dispute. Null means that the step is about the ' +
        'charge itself.',
    }),
    amount: cents.nullable().meta({ description: 'Amount in cents.' }),
    reason: nullableText.meta({
      description:
        'Your reason for a refund, or its failureReason. For an unexpected payment this is its cause. For ' +
        'a dispute this is its reason or its outcome.',
    }),
    endToEndId: nullableText.meta({
      description: 'Number of the Pix that paid the charge, arrived unexpectedly or returned the money.',
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
            'payment: the buyer’s payment, until the charge expires. provider: the provider’s answer ' +
            'about the charge. evidence: your evidence, until the deadline. decision: the decision of a ' +
            'dispute. refund: the provider’s answer about the refund. stop: the platform has paused ' +
            'refunds. return: unexpected money is on its way back. settlement: the day on which the money ' +
            'becomes available.',
        }),
        since: timestamp,
        until: timestamp.nullable(),
      })
      .nullable()
      .meta({ description: 'Event that the charge waits for. Null means that no event is pending.' }),
    steps: z.array(step).meta({
      description:
        'Steps, oldest first. A charge that was cancelled before version 0.3 has no step for its ' +
        'cancellation.',
    }),
  })
  .meta({ id: 'ChargeTimeline' });

export type ChargeTimelineView = z.infer<typeof timeline>;

export const chargeTimeline = endpointsOf('charges', {
  readChargeTimeline: {
    route: 'GET /v1/charges/:id/timeline',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read the timeline of a charge',
    description:
      'Returns the charge’s payment, refunds, disputes and unexpected payments, and the event that the ' +
      'charge waits for now.',
    data: timeline,
  },
} as const satisfies Record<string, Definition>);
