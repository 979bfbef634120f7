import { sealingKeys } from '@plataforma/data';
import { addressRanges, signingKey } from '@plataforma/http';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

/** A hundred years at most, or the date would leave what PostgreSQL knows. */
const days = z.coerce.number().int().min(1).max(36_500).default(30);

export const webhooksConfig = z.object({
  ...serviceSettings,
  ...eventSettings,
  /** Without it the heads of its chains are not announced. */
  SERVICE_KEY: signingKey.optional(),
  WEBHOOK_SECRET_KEYS: sealingKeys,
  WEBHOOK_ALLOW_INSECURE: setting.flag,
  /** Public addresses of the installation, to which no webhook may lead. */
  PRIVATE_ADDRESSES: addressRanges,
  EVENT_RETENTION_DAYS: days,
  DELIVERY_RETENTION_DAYS: days,
});

export type WebhooksConfig = z.infer<typeof webhooksConfig>;
