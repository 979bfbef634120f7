import { signingKey, trustedKeys } from '@plataforma/http';
import { eventSettings, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

export const ledgerConfig = z.object({
  ...serviceSettings,
  ...eventSettings,
  TRUSTED_KEYS: trustedKeys,
  /** Without it the heads of its chains are not announced. */
  SERVICE_KEY: signingKey.optional(),
  /** From one check of all books to the next; 0: they are not checked. */
  BOOKS_CHECK_EVERY_MINUTES: z.coerce.number().int().min(0).max(10_080).default(60),
});

export type LedgerConfig = z.infer<typeof ledgerConfig>;
