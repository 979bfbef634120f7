import { inside, isObject, listIn, nameIn, resolved, type Schema } from '@plataforma/api-docs/schemas';
import type { Field, Limit, Variant } from '../model.ts';

/**
 * The number of levels of nested objects whose fields are shown. Objects on deeper levels are shown by name
 * only.
 */
const DEPTH = 4;

export function fieldsOf(schema: Schema, components: Schema, depth = 0): Field[] {
  const own = resolved(schema, components);
  const required = new Set(listIn(own, 'required'));
  return Object.entries(inside(own, 'properties')).map(([name, field]) =>
    fieldOf(name, isObject(field) ? field : {}, { components, isRequired: required.has(name), depth }),
  );
}

export function variantsOf(schema: Schema, components: Schema): Variant[] {
  const shapes = alternativesOf(resolved(schema, components));
  if (shapes.length === 0) return [{ name: '', fields: fieldsOf(schema, components) }];
  return shapes.flatMap((shape) =>
    variantsOf(shape, components).map(({ name, fields }) => ({ name: name || nameOf(shape), fields })),
  );
}

export function fieldOf(
  name: string,
  schema: Schema,
  { components, isRequired, depth = 0 }: { components: Schema; isRequired: boolean; depth?: number },
): Field {
  const own = resolved(schema, components);
  const shapes = alternativesOf(own);
  const value = shapes.length === 1 && shapes[0] ? resolved(shapes[0], components) : own;
  const item = value.type === 'array' ? inside(value, 'items') : value;
  const said = [schema.description, own.description, value.description].find(
    (each) => typeof each === 'string',
  );
  return {
    name,
    type: typeOf(schema, components),
    isRequired,
    default: own.default === undefined ? undefined : JSON.stringify(own.default),
    description: typeof said === 'string' ? said : '',
    values: listIn(resolved(item, components), 'enum')
      .filter((each) => each !== null)
      .map(String),
    limits: limitsOf(value),
    children: depth < DEPTH ? childrenOf(item, shapes, { components, depth }) : [],
  };
}

function childrenOf(
  item: Schema,
  shapes: Schema[],
  { components, depth }: { components: Schema; depth: number },
): Field[] {
  const own = fieldsOf(item, components, depth + 1);
  if (own.length > 0 || shapes.length < 2) return own;
  const all = shapes.flatMap((shape) => fieldsOf(shape, components, depth + 1));
  return [...new Map(all.map((field) => [field.name, field])).values()];
}

const allOf = (schema: Schema) => [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')].filter(isObject);
const alternativesOf = (schema: Schema) => allOf(schema).filter(({ type }) => type !== 'null');

function nameOf(schema: Schema): string {
  return nameIn(schema) ?? String(schema.title ?? '');
}

function typeOf(schema: Schema, components: Schema): string {
  const own = resolved(schema, components);
  const shapes = alternativesOf(own);
  if (shapes.length > 0 && own.type === undefined) {
    const kinds = [...new Set(shapes.map((shape) => typeOf(shape, components)))];
    return withNull(kinds.join(' | '), allOf(own).length > shapes.length);
  }
  const types = [own.type].flat().filter((type) => type !== 'null');
  const isNull = [own.type].flat().includes('null');
  if (types.includes('array')) return withNull(`${typeOf(inside(own, 'items'), components)}[]`, isNull);
  const format = typeof own.format === 'string' && !own.format.startsWith('int') ? own.format : undefined;
  const name = nameIn(schema) ?? (own.const !== undefined ? JSON.stringify(own.const) : undefined);
  return withNull(name ?? format ?? (types.join(' | ') || 'any'), isNull);
}

const withNull = (type: string, isNull: boolean) => (isNull ? `${type} | null` : type);

/** The largest value of an integer column in the database. A maximum of this size is not shown as a limit. */
const LARGEST = 2 ** 31 - 1;

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): Limit[] {
  const most = typeof maximum === 'number' && maximum < LARGEST ? maximum : undefined;
  const limits: Limit[] = [
    { range: rangeOf(minimum === 0 && most === undefined ? undefined : minimum, most), unit: 'none' },
    { range: rangeOf(minLength === 1 ? undefined : minLength, maxLength), unit: 'chars' },
    { range: rangeOf(undefined, maxItems), unit: 'items' },
  ];
  return limits.filter(({ range }) => range !== '');
}

function rangeOf(least: unknown, most: unknown): string {
  if (typeof least === 'number' && least < -LARGEST) return rangeOf(undefined, most);
  if (typeof least === 'number' && typeof most === 'number') return `${least}–${most}`;
  if (typeof most === 'number') return `≤ ${most}`;
  return typeof least === 'number' ? `≥ ${least}` : '';
}
