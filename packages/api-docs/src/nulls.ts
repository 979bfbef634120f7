import { inside, isObject, listIn, operationsIn, resolved, type Schema } from './schemas.ts';

/** Adds `null` to the documented type of each optional field in a merchant's body. */
export function takeNulls(document: unknown): void {
  const components = inside(document, 'components', 'schemas');
  const visited = new Set<Schema>();
  for (const operation of merchantOperations(document)) {
    const body = inside(operation, 'requestBody', 'content', 'application/json', 'schema');
    const shapes = [body, ...listIn(body, 'oneOf').filter(isObject)].map((one) => resolved(one, components));
    for (const shape of shapes.filter((one) => !visited.has(one))) {
      visited.add(shape);
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

/** Adds null to the type and to the allowed values, if any, because both must allow it. */
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

/**
 * Allows null in the first alternative of `anyOf`. A schema without alternatives becomes an `anyOf` of two
 * alternatives: the schema itself, and null.
 */
function eitherOrNull({ description, ...schema }: Schema): Schema {
  const said = description === undefined ? {} : { description };
  const [first, ...others] = listIn(schema, 'anyOf').filter(isObject);
  return first
    ? { ...said, ...schema, anyOf: [orNull(first), ...others] }
    : { ...said, anyOf: [schema, { type: 'null' }] };
}

const isNull = ({ type }: Schema) => type === 'null';

/**
 * Replaces a separate alternative `{"type":"null"}` by a type such as `["string","null"]`. Some generators
 * fail on the separate alternative, and others lose the type.
 */
export function foldNulls(schema: unknown): void {
  if (!isObject(schema)) {
    if (Array.isArray(schema)) schema.forEach(foldNulls);
    return;
  }
  const all = listIn(schema, 'anyOf').filter(isObject);
  const [first, ...others] = all.filter((one) => !isNull(one));
  if (first && others.length + 1 < all.length && !('$ref' in first)) {
    const { anyOf: _either, ...said } = schema;
    const folded = orNull(others.length === 0 ? first : { anyOf: [first, ...others] });
    delete schema.anyOf;
    Object.assign(schema, folded, said);
  }
  if (isNull(schema)) schema.type = ['string', 'null'];
  joinTexts(schema);
  for (const each of Object.values(schema)) {
    foldNulls(Array.isArray(each) ? each.filter((one) => !isObject(one) || !isNull(one)) : each);
  }
}

/**
 * Replaces a choice between several formats of a text, such as a day or an instant, by the schema of any
 * text. Generated Java code for such a choice does not compile.
 */
function joinTexts(schema: Schema): void {
  const all = listIn(schema, 'anyOf').filter(isObject);
  const types = all.flatMap(({ type }) => type);
  if (all.length < 2 || !types.every((type) => type === 'string' || type === 'null')) return;
  delete schema.anyOf;
  // If every alternative has a format or a pattern, such as a day or an instant, the text cannot be empty.
  if (all.every(({ type, format, pattern }) => type === 'null' || format || pattern)) schema.minLength = 1;
  schema.type = types.includes('null') ? ['string', 'null'] : 'string';
}
