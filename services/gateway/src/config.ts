import { serviceSettings, setting, trustedKeys } from '@plataforma/chassis';
import { z } from 'zod';

export const gatewayConfig = z.object({
  ...serviceSettings,
  INTERNAL_PORT: setting.port,
  AMQP_URL: z.url(),
  TRUSTED_KEYS: trustedKeys,
  SERVICE_KEY: z.string().min(1),
  CHARGES_URL: z.url(),
  WITHDRAWALS_URL: z.url(),
  LEDGER_URL: z.url(),
  WEBHOOKS_URL: z.url(),
  OPERATOR_EMAIL: z.email().transform((value) => value.toLowerCase()),
  OPERATOR_PASSWORD: z.string().min(8),
  DEFAULT_PIX_FEE_BPS: z.coerce.number().int().min(0).max(10_000).default(99),
  DEFAULT_PIX_FEE_FIXED: z.coerce.number().int().min(0).default(0),
});
