import { z } from 'zod';

function names(shape: RegExp, reason: string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((name) => shape.test(name)), reason)
    .transform((list): ReadonlySet<string> => new Set(list));
}

/** Hosts that are called over plain HTTP, at private addresses too, when a code leads exactly there. */
export const trustedHosts = names(/^[a-z0-9.-]+:\d{1,5}$/, 'must be host:port, separated by commas');

/** Hosts whose keys are taken for charges that others serve. */
export const trustedIssuers = names(/^[a-z0-9.-]+$/, 'must be host names, separated by commas');
