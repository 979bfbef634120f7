import { serviceSettings, signingKey, trustedKeys } from '@plataforma/chassis';
import { z } from 'zod';

const optional = z.string().min(1).optional();

const settings = z.object({
  ...serviceSettings,
  AMQP_URL: z.url(),
  TRUSTED_KEYS: trustedKeys,
  SERVICE_KEY: signingKey,
  GATEWAY_INTERNAL_URL: z.url(),
  PIX_CALLBACK_SECRET: z.string().min(16),
  PIX_SANDBOX_URL: z.url().optional(),
  PIX_SANDBOX_CLIENT_ID: optional,
  PIX_SANDBOX_CLIENT_SECRET: optional,
  PIX_SANDBOX_KEY: optional,
  PIX_PRODUCTION_URL: z.url().optional(),
  PIX_PRODUCTION_CLIENT_ID: optional,
  PIX_PRODUCTION_CLIENT_SECRET: optional,
  PIX_PRODUCTION_KEY: optional,
  SANDBOX_CONTROL_URL: z.url().optional(),
});

/** Without a provider an environment answers PROVIDER_UNAVAILABLE; half of one is a mistake. */
export const chargesConfig = settings.superRefine((config, context) => {
  for (const account of ['PIX_SANDBOX', 'PIX_PRODUCTION'] as const) {
    const names = [
      `${account}_URL`,
      `${account}_CLIENT_ID`,
      `${account}_CLIENT_SECRET`,
      `${account}_KEY`,
    ] as const;
    const missing = names.filter((name) => config[name] === undefined);
    if (missing.length === names.length) continue;
    for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
  }
});

export type ChargesConfig = z.infer<typeof chargesConfig>;
