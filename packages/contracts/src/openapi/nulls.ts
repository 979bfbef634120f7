import { inside, isObject, listIn, operationsIn, resolved, type Schema } from './schemas.ts';

/** A field that merchants may leave out of a body may be `null` as well: the schemas of bodies say so of each. */
export function takeNulls(document: unknown): void {
  const components = inside(document, 'components', 'schemas');
  const seen = new Set<Schema>();
  for (const operation of merchantOperations(document)) {
    const body = inside(operation, 'requestBody', 'content', 'application/json', 'schema');
    const shapes = [body, ...listIn(body, 'oneOf').filter(isObject)].map((one) => resolved(one, components));
    for (const shape of shapes.filter((one) => !seen.has(one))) {
      seen.add(shape);
      takeNullsOf(shape);
    }
  }
}

function merchantOperations(document: unknown): Schema[] {
  const paths = Object.entries(inside(document, 'paths')).filter(([path]) => !path.startsWith('/v1/admin/'));
  return operationsIn({ paths: Object.fromEntries(paths) });
}

function takeNullsOf(shape: Schema): void {
  const properties = inside(shape, 'properties');
  for (const [name, field] of Object.entries(properties).filter(isNamed))
    if (!listIn(shape, 'required').includes(name)) properties[name] = orNull(field);
}

function isNamed(entry: [string, unknown]): entry is [string, Schema] {
  return isObject(entry[1]);
}

/** The values are named as such, where there are only a few: a `type` beside them takes none away. */
function orNull(schema: Schema): Schema {
  const { const: only, enum: values, type, ...rest } = schema;
  if (typeof type !== 'string') return takesNull(schema) ? schema : eitherOrNull(schema);
  const either = { type: [type, 'null'], ...rest };
  if (only !== undefined) return { ...either, enum: [only, null] };
  return Array.isArray(values) ? { ...either, enum: [...values, null] } : either;
}

function takesNull({ type, anyOf }: Schema): boolean {
  const types = [type, ...(Array.isArray(anyOf) ? anyOf.filter(isObject).map((one) => one.type) : [])];
  return types.flat().includes('null');
}

function eitherOrNull({ description, ...schema }: Schema): Schema {
  return { ...(description === undefined ? {} : { description }), anyOf: [schema, { type: 'null' }] };
}
