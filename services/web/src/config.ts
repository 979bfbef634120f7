import { sealingKeys } from '@plataforma/data';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings, strangerSettings } from '@plataforma/service';
import { z } from 'zod';

/** `web` has no database, so it omits the common settings about a database. */
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
  /** The address at which merchants' programs call the API. The pages for developers show this address. */
  PUBLIC_API_URL: z.url().optional(),
  /** Keys that seal the session cookie. */
  SEALING_KEYS: sealingKeys,
  /**
   * The address of this service for browsers. If it is an https address, browsers send the session cookie
   * over https only.
   */
  PUBLIC_URL: setting.pagesUrl,
  PAGES: pages,
  /**
   * Host names of the dashboard and the checkout. Without these settings, every host name serves the
   * dashboard and the checkout.
   */
  DASHBOARD_HOST: z.string().optional(),
  CHECKOUT_HOST: z.string().optional(),
  /**
   * The `built` folder of the previous release. A page that was opened before an upgrade finds its files in
   * this folder for a day.
   */
  PREVIOUS_PAGES: z.string().optional(),
  /** The limit of reports about violations of the content security policy, for all browsers together. */
  POLICY_REPORTS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(300),
  /** The installation's name. The checkout says that this name processes the payment. */
  BRAND_NAME: z.string().max(60).default(''),
  /** The privacy notice of the installation, to which the pages link. */
  PRIVACY_URL: setting.pagesUrl.optional(),
  /** The terms that a person must accept to register on the page. */
  TERMS_URL: setting.pagesUrl.optional(),
  /** The page or e-mail address of the support, to which the dashboard links. */
  SUPPORT_URL: z.union([setting.pagesUrl, z.url({ protocol: /^mailto$/ })]).optional(),
  /** Without this address the pages get no live updates and poll every 15 seconds. */
  AMQP_URL: z.url().optional(),
  AMQP_CA_FILE: eventSettings.AMQP_CA_FILE,
  EVENT_KEYS: eventSettings.EVENT_KEYS,
  EVENT_SIGNATURES: eventSettings.EVENT_SIGNATURES,
  ...strangerSettings,
});

export type WebConfig = z.infer<typeof webConfig>;
