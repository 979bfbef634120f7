import { type Endpoint, type SchemaOf, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import { validate } from './validation.ts';

const DATES = ['startDate', 'endDate', 'deadlineBefore'];

/**
 * Reads the query. A query with days, for a file or for a report gets the time zone of the caller's account
 * if it names none.
 */
export function readQuery<E extends Endpoint>(
  endpoint: E,
  query: Record<string, unknown>,
  { principal, isFile = false }: { principal: unknown; isFile?: boolean },
): z.output<SchemaOf<E, 'query'>> {
  const schema = schemaOf(endpoint, 'query');
  const zone = schema instanceof z.ZodObject ? schema.shape.timeZone : undefined;
  // A schema with a default time zone belongs to a report, which covers whole days even if the query has no
  // dates. The account's time zone replaces the default, which is for callers without an account.
  const readsDays = isFile || DATES.some((name) => name in query) || zone?.safeParse(undefined).data;
  const isMissing = zone !== undefined && readsDays && !('timeZone' in query);
  return validate(schema, { ...folded(query), ...(isMissing && { timeZone: zoneOf(principal) }) });
}

function zoneOf(principal: unknown): unknown {
  return typeof principal === 'object' && principal !== null && 'timeZone' in principal
    ? principal.timeZone
    : undefined;
}

const ENTRY = /^([A-Za-z]+)\[(?!__proto__\])([^[\]]+)\]$/;

/** Turns a parameter such as `metadata[loja]=matriz` into the entry `loja` of an object `metadata`. */
function folded(query: Record<string, unknown>): Record<string, unknown> {
  const plain: [string, unknown][] = [];
  const objects = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(query)) {
    const [, object, key] = ENTRY.exec(name) ?? [];
    if (object && key) objects.set(object, [...(objects.get(object) ?? []), [key, value]]);
    else plain.push([name, value]);
  }
  const whole = [...objects].map(([name, entries]) => [name, Object.fromEntries(entries)]);
  return Object.fromEntries([...plain, ...whole]);
}
