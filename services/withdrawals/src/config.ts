import { serviceSettings, trustedKeys } from '@plataforma/chassis';
import { z } from 'zod';

export const withdrawalsConfig = z.object({
  ...serviceSettings,
  AMQP_URL: z.url(),
  TRUSTED_KEYS: trustedKeys,
});
