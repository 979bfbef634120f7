import { type Endpoint, type SchemaOf, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import { validate } from './validation.ts';

const DATES = ['startDate', 'endDate', 'deadlineBefore'];

/**
 * Reads the query. Adds the zone of the caller's account where the query reads days and names no zone; a file
 * always reads days.
 */
export function readQuery<E extends Endpoint>(
  endpoint: E,
  query: Record<string, unknown>,
  { principal, isFile = false }: { principal: unknown; isFile?: boolean },
): z.output<SchemaOf<E, 'query'>> {
  const schema = schemaOf(endpoint, 'query');
  const zone = schema instanceof z.ZodObject ? schema.shape.timeZone : undefined;
  // A report reads days even without dates. Its schema has a default zone for callers without an account.
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

/** Turns `metadata[loja]=matriz` into an entry of `metadata`. */
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
