import { sealingKeys } from '@plataforma/data';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings, strangerSettings } from '@plataforma/service';
import { z } from 'zod';

/** No database: of what every service reads, `web` leaves out what is about one. */
const { HOST, PORT, HOST_NAMES, DRAIN_MS, KEEP_ALIVE_MS, METRICS_PORT, LOG_LEVEL } = serviceSettings;

const kinds = ['dashboard', 'checkout'] as const;
const pages = z
  .string()
  .default(kinds.join(','))
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(z.enum(kinds)).min(1));

export const webConfig = z.object({
  ...{ HOST, PORT, HOST_NAMES, DRAIN_MS, KEEP_ALIVE_MS, METRICS_PORT, LOG_LEVEL },
  /** The gateway as this service calls it. */
  GATEWAY_URL: z.url(),
  /** Where programs of merchants call the API: what pages for developers print. */
  PUBLIC_API_URL: z.url().optional(),
  /** Seals the cookie of a session. */
  SEALING_KEYS: sealingKeys,
  /** Where browsers find this service; over https its cookie is sent over https only. */
  PUBLIC_URL: setting.pagesUrl,
  /** Which of the pages this process serves. */
  PAGES: pages,
  /** Where each is called, if they have hosts of their own; another host gets none of them. */
  DASHBOARD_HOST: z.string().optional(),
  CHECKOUT_HOST: z.string().optional(),
  /** The `built` folder of the release before: pages that are open during an upgrade find their files for a day. */
  PREVIOUS_PAGES: z.string().optional(),
  /** Of what the pages' policies have stopped, from all browsers. */
  POLICY_REPORTS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(300),
  /** Of the installation, at the foot of the checkout. */
  BRAND_NAME: z.string().max(60).default(''),
  /** Without a broker pages see changes when they ask, every 15 seconds. */
  AMQP_URL: z.url().optional(),
  AMQP_CA_FILE: eventSettings.AMQP_CA_FILE,
  EVENT_KEYS: eventSettings.EVENT_KEYS,
  EVENT_SIGNATURES: eventSettings.EVENT_SIGNATURES,
  ...strangerSettings,
});

export type WebConfig = z.infer<typeof webConfig>;
