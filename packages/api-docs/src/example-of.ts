import { exampleId } from '@plataforma/contracts/example-ids';
import { fieldExamples, viewExamples } from './example-values.ts';
import { inside, isObject, listIn, nameIn, resolved, type Schema } from './schemas.ts';

/** What has no example, by its place: `Charge.txid`. */
type Missing = (place: string) => void;

/**
 * An example of an answer, put together from those of its fields: what its view says of the field, what the schema says
 * itself, its only or first value, and what a field of that name is elsewhere.
 */
export function exampleOf(
  schema: Schema,
  { view, components, missing }: { view: string; components: Schema; missing: Missing },
): unknown {
  return new Examples({ components, missing, answer: view }).of(schema, { name: '', view });
}

interface Place {
  /** Of the field. */
  name: string;
  /** The component that it is a field of, or of which its object is. */
  view: string;
}

class Examples {
  readonly #components: Schema;
  readonly #missing: Missing;
  readonly #answer: string;

  constructor({ components, missing, answer }: { components: Schema; missing: Missing; answer: string }) {
    this.#components = components;
    this.#missing = missing;
    this.#answer = answer;
  }

  of(schema: Schema, { name, view }: Place): unknown {
    const own = resolved(schema, this.#components);
    const place = { name, view: nameIn(schema) ?? view };
    const said = saidBy(own);
    if (said !== undefined) return said;
    const [first] = [...listIn(own, 'oneOf'), ...listIn(own, 'anyOf')].filter(isObject).filter(isValue);
    if (first) return this.of(first, place);
    const types = [own.type].flat();
    if (types.includes('object')) return this.#object(own, place);
    if (types.includes('array')) return this.#list(own, place);
    return this.#leaf(own, place);
  }

  #object(schema: Schema, { view }: Place): Schema {
    const shown = Object.entries(inside(schema, 'properties')).flatMap(([name, field]) => {
      const own = isObject(field) ? field : {};
      const known =
        knownOf(`${this.#answer} ${view}`, name) ?? knownOf(view, name) ?? knownOf('every view', name);
      const isKnown = known && (own.const === undefined || known.value === undefined);
      const example = isKnown ? known.value : this.of(own, { name, view });
      return example === undefined ? [] : [[name, example]];
    });
    return Object.fromEntries(shown);
  }

  #list(schema: Schema, place: Place): unknown[] {
    const example = this.of(inside(schema, 'items'), place);
    return example === undefined ? [] : [example];
  }

  #leaf({ type, format, minimum }: Schema, { name, view }: Place): unknown {
    if (Object.hasOwn(fieldExamples, name)) return fieldExamples[name];
    if (type === 'null') return null;
    if (format === 'date-time') return fieldExamples.createdAt;
    if (type === 'boolean') return true;
    if (format === 'uuid') return exampleId(name === 'id' ? view : name);
    this.#missing(`${view}.${name}`);
    return type === 'integer' ? (minimum ?? 0) : '';
  }
}

function isValue({ type }: Schema): boolean {
  return type !== 'null';
}

function saidBy({ example, examples, const: only, enum: values }: Schema): unknown {
  if (example !== undefined) return example;
  if (Array.isArray(examples)) return examples[0];
  return only === undefined ? (Array.isArray(values) ? values[0] : undefined) : only;
}

function knownOf(view: string, name: string): { value: unknown } | undefined {
  const values = viewExamples[view];
  return values && Object.hasOwn(values, name) ? { value: values[name] } : undefined;
}
