import { sealingKeys } from '@plataforma/data';
import { serviceSettings } from '@plataforma/service';
import { z } from 'zod';

/** No database: of what every service reads, `web` leaves out what is about one. */
const { HOST, PORT, DRAIN_MS, METRICS_PORT, LOG_LEVEL } = serviceSettings;

export const webConfig = z.object({
  ...{ HOST, PORT, DRAIN_MS, METRICS_PORT, LOG_LEVEL },
  /** The gateway as this service calls it. */
  GATEWAY_URL: z.url(),
  /** Seals the cookie of a session. */
  SEALING_KEYS: sealingKeys,
  /** Where browsers find this service; over https its cookie is sent over https only. */
  PUBLIC_URL: z.url(),
});

export type WebConfig = z.infer<typeof webConfig>;
