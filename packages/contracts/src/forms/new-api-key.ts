import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { expiry, text, visibleText } from '../fields.ts';

/** Each opens a whole area; a key whose scopes nobody chose has all of them. */
export const wideScopes = ['charges:write', 'charges:read', 'wallet:read', 'withdrawals:write'] as const;
/** Each opens a part of an area, for keys that are to do less. */
export const narrowScopes = ['refunds:write', 'disputes:write', 'webhooks:write', 'events:read'] as const;
/** The scopes of an API key. */
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

/** The body of a new API key. */
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
        'What the key may do: `charges:write`, `charges:read`, `wallet:read` and `withdrawals:write` when left out. The others are ' +
        'for a key that is to do less, but for `webhooks:write`, without which none rotates a webhook’s secret.',
    }),
  allowedIps: z
    .array(text(64))
    .max(100)
    .default([])
    .meta({ description: 'IPv4/IPv6 addresses or CIDR ranges; left empty it works from everywhere.' }),
  expiresAt: expiry.optional().meta({
    description:
      'A day counts in whole, in the time zone of your account: with `2026-12-31` the key works until the year ends.',
  }),
});

/** The body of a rotation. */
export const keyRotation = z.object({
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .meta({ description: 'For how long the old key works on: up to seven days.' }),
});
