import { z } from 'zod';
import { olderNameOf } from '../older-names.ts';

/** Faults of webhook attempts that a merchant can cause on purpose in its sandbox. */
export const faultKinds = ['duplicate', 'reorder', 'delay', 'bad_signature', 'drop'] as const;

export type FaultKind = (typeof faultKinds)[number];

export const MAX_FAULTED_ATTEMPTS = 100;

export const newWebhookFault = z
  .object({
    webhookId: z.uuid().optional().meta({ description: 'Id of the webhook. Required.' }),
    configId: olderNameOf('webhookId', z.uuid().optional()),
    kind: z.enum(faultKinds),
    count: z
      .int()
      .min(1)
      .max(MAX_FAULTED_ATTEMPTS)
      .default(1)
      .meta({ description: 'Number of next attempts to which the fault applies.' }),
  })
  .refine((fault) => webhookIdIn(fault) !== undefined, { path: ['webhookId'], error: 'is required' });

/** Returns the id of the webhook configuration from `webhookId`, or from its older name `configId`. */
export function webhookIdIn(input: { webhookId?: string | undefined; configId?: string | undefined }) {
  return input.webhookId ?? input.configId;
}
