import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { expiry } from '../days.ts';
import { text, visibleText } from '../fields.ts';

/** Scopes that each cover a whole area of the API. An API key without chosen scopes has all of these. */
export const wideScopes = ['charges:write', 'charges:read', 'wallet:read', 'withdrawals:write'] as const;
/** Scopes that each cover a small set of operations, for API keys with fewer rights. */
export const narrowScopes = ['refunds:write', 'disputes:write', 'webhooks:write', 'events:read'] as const;
export const scopes = [...wideScopes, ...narrowScopes] as const;

type WideScope = (typeof wideScopes)[number];
export type NarrowScope = (typeof narrowScopes)[number];
export type Scope = WideScope | NarrowScope;

export function isWideScope(scope: Scope): scope is WideScope {
  return wideScopes.some((wide) => wide === scope);
}

export function isNarrowScope(scope: Scope): scope is NarrowScope {
  return !isWideScope(scope);
}

export const newApiKey = z.object({
  name: visibleText(120),
  environment: z.enum(environments),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .default([...wideScopes])
    .meta({
      description:
        'Scopes of the key. Defaults to `charges:write`, `charges:read`, `wallet:read` and ' +
        '`withdrawals:write`. The other scopes are for keys with fewer permissions, except ' +
        '`webhooks:write`, which a key needs to rotate a webhook’s secret.',
    }),
  allowedIps: z.array(text(64)).max(100).default([]).meta({
    description:
      'IPv4 or IPv6 addresses or CIDR ranges from which the key works. An empty list allows every address.',
  }),
  expiresAt: expiry.optional().meta({
    description:
      'A day counts in whole, in the time zone of your account. With `2026-12-31` the key works until the ' +
      'year ends.',
  }),
});

export const keyRotation = z.object({
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .meta({ description: 'Seconds for which the old key continues to work, at most seven days.' }),
});
