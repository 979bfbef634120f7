/** A JSON schema, or any other object of the document. */
export type Schema = Record<string, unknown>;

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object at a path of names, or an empty object if it does not exist. */
export function inside(whole: unknown, ...names: readonly string[]): Schema {
  const found = names.reduce<unknown>((one, name) => (isObject(one) ? one[name] : undefined), whole);
  return isObject(found) ? found : {};
}

export function listIn(whole: Schema, name: string): readonly unknown[] {
  const found = whole[name];
  return Array.isArray(found) ? found : [];
}

export const REFERENCE = '#/components/schemas/';

/** Returns the name of the component that a schema refers to. */
export function nameIn({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
}

/** Returns the schema itself, or the component that it refers to. */
export function resolved(schema: Schema, components: Schema): Schema {
  const name = nameIn(schema);
  return name === undefined ? schema : inside(components, name);
}

export function operationsIn(document: unknown): Schema[] {
  return Object.values(inside(document, 'paths')).flatMap((methods) =>
    isObject(methods) ? Object.values(methods).filter(isObject) : [],
  );
}
