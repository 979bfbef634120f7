import { z } from 'zod';

/**
 * Emitted by the gateway once for each API key that works and has seven days left or less; a sandbox goes by its own
 * clock. It holds nothing that leads to the key.
 */
export const apiKeyEvents = {
  'api_key.expiring': z.object({
    id: z.uuid(),
    name: z.string(),
    maskedKey: z.string(),
    scopes: z.array(z.string()),
    expiresAt: z.iso.datetime(),
  }),
};
