import { exampleOf } from './example-of.ts';
import { foldNulls, takeNulls } from './nulls.ts';
import { inside, isObject, listIn, nameIn, operationsIn, REFERENCE, type Schema } from './schemas.ts';
import { typeEvents } from './typed-events.ts';

/** Adds event names, examples of responses, and `null` in bodies, because the schemas do not contain them. */
export function finish(document: unknown, missing: (fieldName: string) => void): void {
  const components = inside(document, 'components', 'schemas');
  typeEvents(components);
  takeNulls(document);
  foldNulls(document);
  nameDiscriminators(components);
  for (const operation of operationsIn(document)) {
    for (const parameter of listIn(operation, 'parameters').filter(isObject)) showParameter(parameter);
    for (const [status, answer] of Object.entries(inside(operation, 'responses'))) {
      showAnswer(inside(answer, 'content', 'application/json'), {
        view: `${operation.operationId} ${status}`,
        components,
        missing,
      });
    }
  }
}

/**
 * Copies `example` and `deprecated` from the schema to the parameter, where programs that import the document
 * read them.
 */
function showParameter(parameter: Schema): void {
  const { example, deprecated } = inside(parameter, 'schema');
  if (example !== undefined) parameter.example = example;
  if (deprecated === true) parameter.deprecated = true;
}

function showAnswer(content: Schema, where: Parameters<typeof exampleOf>[1]): void {
  if (!isObject(content.schema) || content.examples) return;
  content.example = exampleOf(content.schema, where);
}

/**
 * Adds a discriminator to a component if every alternative requires the same field with a different constant
 * value.
 */
function nameDiscriminators(components: Schema): void {
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
