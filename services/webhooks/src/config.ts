import { serviceSettings, setting, trustedKeys } from '@plataforma/chassis';
import { z } from 'zod';
import type { SealingKey } from './secret-box.ts';

const KEY_FORMAT = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** `keyId:base64` of 32 bytes, any number of them, separated by commas. The first seals, all open. */
const sealingKeys = z.string().transform((text, context): [SealingKey, ...SealingKey[]] => {
  const [first, ...others] = text.split(',').map(readKey);
  const ids = new Set([first, ...others].map((key) => key?.id));
  if (first && others.every((key) => key !== null) && ids.size === others.length + 1)
    return [first, ...others];
  context.addIssue({
    code: 'custom',
    message: 'must be keyId:base64-of-32-bytes, separated by commas, each id once',
  });
  return z.NEVER;
});

function readKey(text: string): SealingKey | null {
  const [, id, key] = KEY_FORMAT.exec(text.trim()) ?? [];
  return id && key ? { id, key: Buffer.from(key, 'base64') } : null;
}

export const webhooksConfig = z.object({
  ...serviceSettings,
  AMQP_URL: z.url(),
  TRUSTED_KEYS: trustedKeys,
  WEBHOOK_SECRET_KEYS: sealingKeys,
  WEBHOOK_ALLOW_INSECURE: setting.flag,
});
