import { sealingKeys } from '@plataforma/data';
import { addressRanges, signingKey } from '@plataforma/http';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

/** At most a hundred years, because an earlier date would be outside PostgreSQL's range. */
const days = z.coerce.number().int().min(1).max(36_500).default(30);

export const webhooksConfig = z.object({
  ...serviceSettings,
  ...eventSettings,
  /** Without this key the service does not announce the heads of its chains. */
  SERVICE_KEY: signingKey.optional(),
  WEBHOOK_SECRET_KEYS: sealingKeys,
  WEBHOOK_ALLOW_INSECURE: setting.flag,
  /** Public addresses of the installation, which no webhook may call. */
  PRIVATE_ADDRESSES: addressRanges,
  EVENT_RETENTION_DAYS: days,
  DELIVERY_RETENTION_DAYS: days,
});

export type WebhooksConfig = z.infer<typeof webhooksConfig>;
