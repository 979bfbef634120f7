import { sealingKeys } from '@plataforma/data';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings, strangerSettings } from '@plataforma/service';
import { z } from 'zod';

/** `web` has no database and omits the common settings about one. */
const { HOST, PORT, HOST_NAMES, DRAIN_MS, KEEP_ALIVE_MS, METRICS_PORT, LOG_LEVEL } = serviceSettings;

const kinds = ['dashboard', 'checkout'] as const;
const pages = z
  .string()
  .default(kinds.join(','))
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(z.enum(kinds)).min(1));

export const webConfig = z.object({
  ...{ HOST, PORT, HOST_NAMES, DRAIN_MS, KEEP_ALIVE_MS, METRICS_PORT, LOG_LEVEL },
  GATEWAY_URL: z.url(),
  /** The API's address for programs of merchants, printed on pages for developers. */
  PUBLIC_API_URL: z.url().optional(),
  /** Keys that seal the session cookie. */
  SEALING_KEYS: sealingKeys,
  /** The address of this service for browsers. Over https, the session cookie is sent over https only. */
  PUBLIC_URL: setting.pagesUrl,
  PAGES: pages,
  /** Host names of the dashboard and the checkout. Without these, any host name serves both. */
  DASHBOARD_HOST: z.string().optional(),
  CHECKOUT_HOST: z.string().optional(),
  /**
   * The `built` folder of the previous release. Pages open during an upgrade find their files there for a
   * day.
   */
  PREVIOUS_PAGES: z.string().optional(),
  /** The limit of policy violation reports from all browsers. */
  POLICY_REPORTS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(300),
  /** The installation's name, at the foot of the checkout. */
  BRAND_NAME: z.string().max(60).default(''),
  /** Without a broker, pages poll every 15 seconds. */
  AMQP_URL: z.url().optional(),
  AMQP_CA_FILE: eventSettings.AMQP_CA_FILE,
  EVENT_KEYS: eventSettings.EVENT_KEYS,
  EVENT_SIGNATURES: eventSettings.EVENT_SIGNATURES,
  ...strangerSettings,
});

export type WebConfig = z.infer<typeof webConfig>;
