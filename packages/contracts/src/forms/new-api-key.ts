import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { expiry, text } from '../fields.ts';

/** What an API key may be good for. */
export const scopes = ['charges:write', 'charges:read', 'wallet:read', 'withdrawals:write'] as const;
export type Scope = (typeof scopes)[number];

/** The body of a new API key. */
export const newApiKey = z.object({
  name: text(120),
  environment: z.enum(environments),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .default([...scopes]),
  allowedIps: z
    .array(text(64))
    .max(100)
    .default([])
    .meta({ description: 'IPv4/IPv6 addresses or CIDR ranges; left empty it works from everywhere.' }),
  expiresAt: expiry.optional().meta({
    description: 'A date counts in whole, in UTC: with `2026-12-31` the key works until the year ends.',
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
