import { sealingKeys } from '@plataforma/data';
import { callbackSecrets, signingKey } from '@plataforma/http';
import { MAX_AMOUNT, setting } from '@plataforma/kernel';
import { eventSettings, requireWholeGroups, serviceSettings } from '@plataforma/service';
import { z } from 'zod';

const optional = z.string().min(1).optional();

const settings = z.object({
  ...serviceSettings,
  ...eventSettings,
  SERVICE_KEY: signingKey,
  /** The keys that encrypt evidence files. Without these keys the service accepts no files. */
  SEALING_KEYS: sealingKeys.optional(),
  /** The limit for all files of a merchant in production, in millions of bytes. */
  FILE_QUOTA_MB: z.coerce.number().int().min(1).max(1_000_000).default(5_000),
  /**
   * The base URL of the checkout pages, which the service `web` serves. Missing when the installation has no
   * such pages.
   */
  PUBLIC_CHECKOUT_URL: setting.pagesUrl.optional(),
  /** At most a hundred years, because a larger value would give a date outside PostgreSQL's range. */
  CHECKOUT_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(30),
  GATEWAY_INTERNAL_URL: z.url(),
  LEDGER_URL: z.url(),
  /** The URL of `webhooks`, for comparing its events with this service's. Without it, no comparison runs. */
  WEBHOOKS_URL: z.url().optional(),
  PIX_CALLBACK_SECRET: callbackSecrets,
  PIX_SANDBOX_URL: z.url().optional(),
  PIX_SANDBOX_CLIENT_ID: optional,
  PIX_SANDBOX_CLIENT_SECRET: optional,
  PIX_SANDBOX_KEY: optional,
  PIX_SANDBOX_CERT_FILE: optional,
  PIX_SANDBOX_KEY_FILE: optional,
  PIX_SANDBOX_CA_FILE: optional,
  PIX_SANDBOX_REFUNDS: setting.flag.default(true),
  PIX_PRODUCTION_URL: z.url().optional(),
  PIX_PRODUCTION_CLIENT_ID: optional,
  PIX_PRODUCTION_CLIENT_SECRET: optional,
  PIX_PRODUCTION_KEY: optional,
  PIX_PRODUCTION_CERT_FILE: optional,
  PIX_PRODUCTION_KEY_FILE: optional,
  PIX_PRODUCTION_CA_FILE: optional,
  PIX_PRODUCTION_REFUNDS: setting.flag.default(true),
  /** The daily limit in cents for decisions of one operator, per operator and per merchant. */
  FOUR_EYES_THRESHOLD: z.coerce.number().int().min(0).max(MAX_AMOUNT).default(5_000_000),
  REFUND_WAIT_MS: z.coerce.number().int().min(0).max(20_000).default(8_000),
  UNEXPECTED_PAYMENTS: z.enum(['return', 'hold']).default('return'),
  PIX_MERCHANT_NAME: z.string().min(1).default('Plataforma'),
  PIX_MERCHANT_CITY: z.string().min(1).default('Sao Paulo'),
  CARD_SANDBOX_URL: z.url().optional(),
  CARD_SANDBOX_SECRET_KEY: optional,
  CARD_SANDBOX_PUBLIC_KEY: optional,
  CARD_SANDBOX_TOKENIZE_URL: z.url().optional(),
  CARD_PRODUCTION_URL: z.url().optional(),
  CARD_PRODUCTION_SECRET_KEY: optional,
  CARD_PRODUCTION_PUBLIC_KEY: optional,
  CARD_PRODUCTION_TOKENIZE_URL: z.url().optional(),
  SANDBOX_CONTROL_URL: z.url().optional(),
});

/**
 * The service answers PROVIDER_UNAVAILABLE in an environment without a provider. A partly configured provider
 * is an error.
 */
export const chargesConfig = settings.superRefine(
  requireWholeGroups([
    ['PIX', 'URL', 'CLIENT_ID', 'CLIENT_SECRET', 'KEY'],
    ['PIX', 'CERT_FILE', 'KEY_FILE'],
    ['CARD', 'URL', 'SECRET_KEY', 'PUBLIC_KEY', 'TOKENIZE_URL'],
  ]),
);

export type ChargesConfig = z.infer<typeof chargesConfig>;
