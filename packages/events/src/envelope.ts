import { environments } from '@plataforma/kernel';
import { z } from 'zod';

/**
 * What every domain event carries around its `data`. `sequence` counts up per aggregate, so that old news is told
 * from new; `environment` is null for what concerns a merchant as a whole, or none: then `merchantId` is that of the
 * platform.
 */
export const envelope = z.object({
  id: z.uuid().lowercase(),
  type: z.string(),
  version: z.int().positive(),
  occurredAt: z.iso.datetime(),
  merchantId: z.uuid(),
  environment: z.enum(environments).nullable(),
  aggregateId: z.uuid(),
  sequence: z.int().nonnegative(),
  traceparent: z.string().nullable(),
  data: z.unknown(),
});
