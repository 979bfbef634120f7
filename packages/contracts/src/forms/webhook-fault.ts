import { z } from 'zod';

/** What the sandbox does to attempts of a webhook when its merchant asks for it. */
export const faultKinds = ['duplicate', 'reorder', 'delay', 'bad_signature', 'drop'] as const;

export type FaultKind = (typeof faultKinds)[number];

export const MAX_FAULTED_ATTEMPTS = 100;

/** The body with which a merchant asks for a fault. */
export const newWebhookFault = z.object({
  configId: z.uuid().meta({ description: 'The webhook.' }),
  kind: z.enum(faultKinds),
  count: z
    .int()
    .min(1)
    .max(MAX_FAULTED_ATTEMPTS)
    .default(1)
    .meta({ description: 'How many of the next attempts it meets.' }),
});
