import { exampleId, kindOf } from '@plataforma/contracts/example-ids';
import { fieldExamples } from './example-fields.ts';
import { viewExamples } from './example-values.ts';
import { inside, isObject, listIn, nameIn, resolved, type Schema } from './schemas.ts';

interface FieldOwner {
  name: string;
  /** The component that contains the field, directly or in an inline object. */
  view: string;
}

interface Answer {
  /** The operation and the status, such as `getCharge 200`. */
  view: string;
  components: Schema;
  /**
   * A function that is called for each field without an example, such as `Charge.txid`. The field then needs
   * a line in `example-fields.ts` or `example-values.ts`.
   */
  missing: (fieldName: string) => void;
}

/**
 * Builds an example of a response from its fields. The sources of a value are, in this order: the examples of
 * the component or response, the field's schema, and the examples by name.
 */
export function exampleOf(answered: Schema, { view: answer, components, missing }: Answer): unknown {
  function shownOf(schema: Schema, { name, view }: FieldOwner): unknown {
    const own = resolved(schema, components);
    const owner = { name, view: nameIn(schema) ?? view };
    const said = saidBy(own);
    if (said !== undefined) return said;
    const [first] = [...listIn(own, 'oneOf'), ...listIn(own, 'anyOf')].filter(isObject).filter(isValue);
    if (first) return shownOf(first, owner);
    const types = [own.type].flat();
    if (types.includes('object')) return objectOf(own, owner);
    if (!types.includes('array')) return leafOf(own, owner, missing);
    const item = shownOf(inside(own, 'items'), owner);
    return item === undefined ? [] : [item];
  }

  function objectOf(schema: Schema, { view }: FieldOwner): Schema {
    const shown = Object.entries(inside(schema, 'properties')).flatMap(([name, field]) => {
      const own = isObject(field) ? field : {};
      const found = [`${answer} ${view}`, view, kindOf(view), 'every view']
        .map((each) => exampleFor(each, name))
        .find((each) => each !== undefined);
      const hasExample = found && (own.const === undefined || found.value === undefined);
      const example = hasExample ? found.value : shownOf(own, { name, view });
      return example === undefined ? [] : [[name, example]];
    });
    return Object.fromEntries(shown);
  }

  return shownOf(answered, { name: '', view: answer });
}

function leafOf(
  { type, format, minimum }: Schema,
  { name, view }: FieldOwner,
  missing: Answer['missing'],
): unknown {
  if (Object.hasOwn(fieldExamples, name)) return fieldExamples[name];
  if (type === 'null') return null;
  if (format === 'date-time') return fieldExamples.createdAt;
  if (type === 'boolean') return true;
  if (format === 'uuid') return exampleId(name === 'id' ? view : name);
  missing(`${view}.${name}`);
  return type === 'integer' ? (minimum ?? 0) : '';
}

function isValue({ type }: Schema): boolean {
  return type !== 'null';
}

function saidBy({ example, examples, const: only, enum: values }: Schema): unknown {
  if (example !== undefined) return example;
  if (Array.isArray(examples)) return examples[0];
  return only === undefined ? (Array.isArray(values) ? values[0] : undefined) : only;
}

function exampleFor(view: string, name: string): { value: unknown } | undefined {
  const values = viewExamples[view];
  return values && Object.hasOwn(values, name) ? { value: values[name] } : undefined;
}
