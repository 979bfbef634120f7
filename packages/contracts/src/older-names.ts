import { z } from 'zod';

/**
 * Marks a field as the older name of the field `name`. For a year after the release, requests may contain
 * either name and responses contain both.
 */
export function olderNameOf<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.meta({ deprecated: true, description: `Deprecated. Use \`${name}\`.` });
}

/** The day on which the older names of fields became deprecated. */
export const DEPRECATED_SINCE = '2026-11-28';

/** Returns the older names among the fields of a query or a body. */
export function olderNamesIn(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    z.globalRegistry.get(field)?.deprecated ? [name] : [],
  );
}
