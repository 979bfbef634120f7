import { sealingKeys } from '@plataforma/data';
import { addressRanges, signingKey } from '@plataforma/http';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

/**
 * A number of days, at most a hundred years. A much larger number would give dates outside PostgreSQL's
 * range.
 */
const days = z.coerce.number().int().min(1).max(36_500).default(30);

export const webhooksConfig = z.object({
  ...serviceSettings,
  ...eventSettings,
  /**
   * The key that signs messages to other services. Without a key the service does not publish the newest
   * hashes of its hash chains.
   */
  SERVICE_KEY: signingKey.optional(),
  WEBHOOK_SECRET_KEYS: sealingKeys,
  WEBHOOK_ALLOW_INSECURE: setting.flag,
  /** Public addresses of the installation itself. Requests to webhooks must not go to them. */
  PRIVATE_ADDRESSES: addressRanges,
  EVENT_RETENTION_DAYS: days,
  DELIVERY_RETENTION_DAYS: days,
});

export type WebhooksConfig = z.infer<typeof webhooksConfig>;
