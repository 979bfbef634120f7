import { sealingKeys } from '@plataforma/data';
import { trustedProxies } from '@plataforma/http';
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
  PUBLIC_URL: z.url().refine(isSafe, 'must be https, or a loopback address'),
  /** Our own proxies in front of this service. */
  TRUSTED_PROXIES: trustedProxies,
});

export type WebConfig = z.infer<typeof webConfig>;

/** A cookie that is sent in the clear is anybody's on the way. */
function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
