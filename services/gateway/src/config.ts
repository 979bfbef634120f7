import { sealingKeys } from '@plataforma/data';
import { addressRanges, signingKey } from '@plataforma/http';
import { setting } from '@plataforma/kernel';
import { eventSettings, serviceSettings, strangerSettings } from '@plataforma/service';
import { z } from 'zod';
import { type Settings, settlementCalendars, withdrawalFeeModes } from './domain/organization.ts';
import { initialLimits } from './domain/withdrawal-limits.ts';
import { operatorOrigins } from './relying-party.ts';

const atLeastOne = z.coerce.number().int().min(1).max(1_000_000);
const milliseconds = z.coerce.number().int().min(100).max(600_000);

export const gatewayConfig = z.object({
  ...serviceSettings,
  ...strangerSettings,
  INTERNAL_PORT: setting.port,
  /**
   * The port of a separate listener for operators. If it is set, the public listener does not serve endpoints
   * of operators.
   */
  ADMIN_PORT: setting.port.optional(),
  /** The networks from which operators may use the platform. The default is every address. */
  OPERATOR_NETWORKS: addressRanges,
  /** The origins of the pages on which operators use passkeys. Without it the gateway takes no passkeys. */
  OPERATOR_ORIGINS: operatorOrigins,
  /** Whether the installation has one operator only. The log and `/v1/admin/me` say so. */
  SINGLE_OPERATOR: setting.flag,
  /** The limit of requests per second of one API key or session, on each replica. */
  RATE_LIMIT_PER_KEY: atLeastOne.default(100),
  RATE_LIMIT_PER_ADDRESS: atLeastOne.default(500),
  /** The limit of requests per second of one merchant. The default is five times `RATE_LIMIT_PER_KEY`. */
  RATE_LIMIT_PER_MERCHANT: atLeastOne.optional(),
  /** The limit of requests per day that may store data in one merchant's sandbox. */
  SANDBOX_WRITES_PER_DAY: atLeastOne.default(100_000),
  /**
   * The limit of registrations, failed log-ins and failed refreshes of one address in 15 minutes, on all
   * replicas together.
   */
  LOGIN_LIMIT_PER_ADDRESS: atLeastOne.default(100),
  LOGIN_LIMIT_PER_ACCOUNT: atLeastOne.default(10),
  /** The age in days at which lines of the request log are deleted. 0 turns the request log off. */
  REQUEST_LOG_RETENTION_DAYS: z.coerce.number().int().min(0).max(90).default(7),
  BODY_TIMEOUT_MS: milliseconds.default(10_000),
  STALLED_AFTER_MS: milliseconds.default(30_000),
  /**
   * The longest time that one `verify` call spends on a chain of hashes. It must be well below
   * STALLED_AFTER_MS.
   */
  VERIFY_WITHIN_MS: milliseconds.default(10_000),
  ...eventSettings,
  SERVICE_KEY: signingKey,
  /** Keys that encrypt operators' second factors, and idempotency records with a password or an API key. */
  SEALING_KEYS: sealingKeys,
  /** The address of the dashboard, to which a browser that requests `/` is redirected. */
  WEB_URL: z.url().optional(),
  CHARGES_URL: z.url(),
  WITHDRAWALS_URL: z.url(),
  LEDGER_URL: z.url(),
  WEBHOOKS_URL: z.url(),
  /**
   * Only the first start needs OPERATOR_EMAIL and OPERATOR_PASSWORD. Operators then remove both settings, so
   * that no later start has the password in its environment.
   */
  OPERATOR_EMAIL: z
    .email()
    .transform((value) => value.toLowerCase())
    .optional(),
  OPERATOR_PASSWORD: z.string().optional(),
  DEFAULT_PIX_FEE_BPS: z.coerce.number().int().min(0).max(10_000).default(99),
  DEFAULT_PIX_FEE_FIXED: z.coerce.number().int().min(0).default(0),
  DEFAULT_CARD_FEE_BPS: z.coerce.number().int().min(0).max(10_000).default(399),
  DEFAULT_CARD_FEE_FIXED: z.coerce.number().int().min(0).default(0),
  DEFAULT_SETTLEMENT_DAYS: z.coerce.number().int().min(0).max(365).default(30),
  DEFAULT_SETTLEMENT_CALENDAR: z.enum(settlementCalendars).default('calendar'),
  DEFAULT_WITHDRAWAL_FEE: z.coerce.number().int().min(0).default(0),
  DEFAULT_WITHDRAWAL_FEE_MODE: z.enum(withdrawalFeeModes).default('AMOUNT'),
});

export type GatewayConfig = z.infer<typeof gatewayConfig>;

const DEFAULT_MAX_INSTALLMENTS = 12;

/** Returns the fees and limits of a new merchant, which are valid until an operator changes them. */
export function initialSettingsOf(config: GatewayConfig): Settings {
  return {
    pixFeeBps: config.DEFAULT_PIX_FEE_BPS,
    pixFeeFixed: config.DEFAULT_PIX_FEE_FIXED,
    cardFeeBps: config.DEFAULT_CARD_FEE_BPS,
    cardFeeFixed: config.DEFAULT_CARD_FEE_FIXED,
    cardEnabled: false,
    maxInstallments: DEFAULT_MAX_INSTALLMENTS,
    settlementDays: config.DEFAULT_SETTLEMENT_DAYS,
    settlementCalendar: config.DEFAULT_SETTLEMENT_CALENDAR,
    withdrawalFee: config.DEFAULT_WITHDRAWAL_FEE,
    withdrawalFeeMode: config.DEFAULT_WITHDRAWAL_FEE_MODE,
    ...initialLimits,
  };
}

export function targetsOf(config: GatewayConfig) {
  return {
    charges: config.CHARGES_URL,
    withdrawals: config.WITHDRAWALS_URL,
    ledger: config.LEDGER_URL,
    webhooks: config.WEBHOOKS_URL,
  };
}

export function limitsOf(config: GatewayConfig) {
  return {
    aSecond: {
      perKey: config.RATE_LIMIT_PER_KEY,
      perMerchant: config.RATE_LIMIT_PER_MERCHANT ?? 5 * config.RATE_LIMIT_PER_KEY,
      perAddress: config.RATE_LIMIT_PER_ADDRESS,
      sandboxWritesADay: config.SANDBOX_WRITES_PER_DAY,
    },
    ofLogins: { perAddress: config.LOGIN_LIMIT_PER_ADDRESS, perAccount: config.LOGIN_LIMIT_PER_ACCOUNT },
  };
}
