import { sealingKeys, serviceSettings, setting, trustedKeys } from '@plataforma/chassis';
import { z } from 'zod';

export const webhooksConfig = z.object({
  ...serviceSettings,
  AMQP_URL: z.url(),
  TRUSTED_KEYS: trustedKeys,
  WEBHOOK_SECRET_KEYS: sealingKeys,
  WEBHOOK_ALLOW_INSECURE: setting.flag,
});
