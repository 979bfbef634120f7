import { readDecimal } from '@plataforma/kernel';
import { z } from 'zod';

/**
 * Reads an amount of API Pix 2.9.0 as cents. A provider may write the amount as text or as a number. An
 * ambiguous amount is rejected.
 */
export const amount = z.union([z.string(), z.number().transform(String)]).transform((text, context) => {
  const cents = readDecimal(text);
  if (!cents) context.addIssue({ code: 'custom', message: 'is no amount' });
  return cents ?? z.NEVER;
});

const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|z|[+-]\d{2}:?\d{2})?$/;

/** Reads an RFC 3339 time. A time without an offset is UTC, as in API Pix. */
export const instant = z.string().transform((text, context) => {
  const [, date, time, offset = 'Z'] = INSTANT.exec(text) ?? [];
  const read = new Date(`${date}T${time}${offset.toUpperCase()}`);
  if (!Number.isNaN(read.getTime())) return read;
  context.addIssue({ code: 'custom', message: 'is no time' });
  return z.NEVER;
});

export const endToEndId = z.string().regex(/^[\x21-\x7e]{1,64}$/);

const OURS = /^[0-9a-f]{32}$/i;

/**
 * Reads a txid; null when it is missing. A txid that has the form of the platform's txids is converted to
 * lower case, as the platform writes it.
 */
export const txid = z
  .string()
  .max(64)
  .nullish()
  .transform((text) => (text ? spelledAsOurs(text) : null));

export function spelledAsOurs(text: string): string {
  return OURS.test(text) ? text.toLowerCase() : text;
}

export const wholeNumber = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
