import { z } from 'zod';
import { olderNameOf } from '../fields.ts';

/** Faults of webhook attempts that a merchant can order in its sandbox. */
export const faultKinds = ['duplicate', 'reorder', 'delay', 'bad_signature', 'drop'] as const;

export type FaultKind = (typeof faultKinds)[number];

export const MAX_FAULTED_ATTEMPTS = 100;

/** The body with which a merchant asks for a fault. */
export const newWebhookFault = z
  .object({
    webhookId: z.uuid().optional().meta({ description: 'The webhook; required.' }),
    configId: olderNameOf('webhookId', z.uuid().optional()),
    kind: z.enum(faultKinds),
    count: z
      .int()
      .min(1)
      .max(MAX_FAULTED_ATTEMPTS)
      .default(1)
      .meta({ description: 'How many of the next attempts it meets.' }),
  })
  .refine((fault) => webhookIdIn(fault) !== undefined, { path: ['webhookId'], error: 'is required' });

/** The webhook that a request names, by either name of the field. */
export function webhookIdIn(input: { webhookId?: string | undefined; configId?: string | undefined }) {
  return input.webhookId ?? input.configId;
}
