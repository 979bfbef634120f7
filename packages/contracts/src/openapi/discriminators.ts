import { inside, isObject, listIn, nameIn, REFERENCE, type Schema } from './schemas.ts';

/** Names the field that tells the alternatives of a component apart, where each of them requires it. */
export function nameDiscriminators(components: Schema): void {
  for (const component of Object.values(components).filter(isObject)) {
    const names = listIn(component, 'oneOf').flatMap((one) => (isObject(one) ? [nameIn(one)] : []));
    const alternatives = names.map((name) => inside(components, `${name}`));
    const shared = Object.keys(inside(alternatives[0], 'properties')).find((field) =>
      alternatives.every(
        (one) => listIn(one, 'required').includes(field) && constantOf(one, field) !== undefined,
      ),
    );
    if (shared === undefined) continue;
    const mapping = alternatives.map((one, index) => [constantOf(one, shared), REFERENCE + names[index]]);
    component.discriminator = { propertyName: shared, mapping: Object.fromEntries(mapping) };
  }
}

const constantOf = (schema: Schema, field: string) => inside(schema, 'properties', field).const;
