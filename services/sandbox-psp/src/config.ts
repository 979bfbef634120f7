import { setting } from '@plataforma/kernel';
import { serviceSettings, strangerSettings } from '@plataforma/service';
import { z } from 'zod';
import { copyPasteCode, locationOf, newLocationToken } from './domain/location.ts';

const callbackUrl = z.url({ protocol: /^https?$/ });

const client = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/),
  secret: z.string().min(16),
  pixKey: z.string().min(1).max(77),
  callbackUrl,
  payoutCallbackUrl: callbackUrl.optional(),
  cards: z
    .strictObject({
      publicKey: z.string().regex(/^pk_[\w-]{1,64}$/),
      secretKey: z.string().min(16),
      callbackUrl,
    })
    .optional(),
});

const clientList = z
  .array(client)
  .min(1)
  .refine((clients) => isUnique(clients.map(({ id }) => id)))
  .refine((clients) => isUnique(clients.map(({ pixKey }) => pixKey)))
  .refine((clients) => isUnique(clients.flatMap(({ cards }) => (cards ? [cards.publicKey] : []))))
  .refine((clients) => isUnique(clients.flatMap(({ cards }) => (cards ? [cards.secretKey] : []))));

const clients = z.string().transform((text, context) => {
  try {
    return new Map(clientList.parse(JSON.parse(text)).map((each) => [each.id, each]));
  } catch {
    const message =
      'must be a JSON array of {id, secret (16 or more), pixKey, callbackUrl}, each id and key once';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  .refine(fitsIntoCode, 'must leave a QR location of at most 77 characters: host and path of at most 48');

const delayMs = z.coerce.number().int().min(0).max(86_400_000);

export const sandboxPspConfig = z
  .object({
    ...serviceSettings,
    ...strangerSettings,
    CONTROL_HOST: z.string().default('127.0.0.1'),
    CONTROL_PORT: setting.port,
    PUBLIC_URL: publicUrl.optional(),
    CLIENTS: clients,
    REFUND_SETTLEMENT_MS: delayMs.default(200),
    CARD_SETTLEMENT_MS: delayMs.default(2_000),
    NODE_ENV: z.string().optional(),
    ALLOW_IN_PRODUCTION: setting.flag,
  })
  .refine(({ PORT, PUBLIC_URL }) => PORT === 0 || PUBLIC_URL !== undefined, { path: ['PUBLIC_URL'] })
  .refine(({ NODE_ENV, ALLOW_IN_PRODUCTION }) => NODE_ENV !== 'production' || ALLOW_IN_PRODUCTION, {
    path: ['NODE_ENV'],
    message: 'is production, where this bank of play money only starts with ALLOW_IN_PRODUCTION=true',
  });

export type SandboxPspConfig = z.infer<typeof sandboxPspConfig>;

function isUnique(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

function fitsIntoCode(url: string): boolean {
  try {
    return copyPasteCode(locationOf(url, newLocationToken())) !== '';
  } catch {
    return false;
  }
}
