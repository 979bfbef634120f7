import { z } from 'zod';

/** The fields of a JSON schema that this file prints as TypeScript. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  contentEncoding?: string;
  description?: string;
  default?: unknown;
  /** True if later releases of the API may add values to the enum. */
  isOpen?: true;
  $defs?: Record<string, Schema>;
}

export type Direction = 'input' | 'output';

/** New names for types whose own names would hide a global type, such as `File`. */
const RENAMED: Record<string, string> = { File: 'EvidenceFile' };
const nameOf = (name: string) => RENAMED[name] ?? name;

/**
 * Returns functions that print schemas as TypeScript types, and that collect the declarations of types with
 * names.
 */
export function createPrinter() {
  const named = new Map<string, string>();

  function typeOf(schema: z.ZodType, io: Direction): string {
    const { $defs = {}, ...json } = jsonOf(schema, io);
    for (const [name, each] of Object.entries($defs)) addDeclaration(nameOf(name), each);
    return textOf(json);
  }

  function addDeclaration(name: string, schema: Schema): void {
    const text = declarationOf(name, schema);
    const existing = named.get(name);
    if (existing !== undefined && existing !== text) throw new Error(`two shapes are called ${name}`);
    named.set(name, text);
  }

  return {
    /** Returns the TypeScript text of a schema, or its name if the schema has a name. */
    typeOf,
    /**
     * Declares the schema's type under the given name, and returns the name. If the type contains no object,
     * declares nothing and returns the text of the type.
     */
    typeCalled(name: string, schema: z.ZodType, io: Direction): string {
      const text = typeOf(schema, io);
      if (!text.includes('{')) return text;
      const { $defs: _definitions, ...json } = jsonOf(schema, io);
      addDeclaration(name, json);
      return name;
    },
    declarations: () => [...named.values()],
  };
}

function jsonOf(schema: z.ZodType, io: Direction): Schema {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // A string schema with a list of known values also accepts values that later releases add. An enum
      // accepts only its own values.
      if (zodSchema._zod.def.type === 'string' && jsonSchema.enum)
        Object.assign(jsonSchema, { isOpen: true });
    },
  });
  return isSchema(json) ? json : {};
}

/** Narrows the type of zod's result to `Schema`, because in zod's type each field may also be undefined. */
function isSchema(json: object): json is Schema {
  return '$schema' in json;
}

function declarationOf(name: string, schema: Schema): string {
  const text = textOf(schema);
  const head = docOf(schema, '');
  const isInterface = text.startsWith('{') && schema.properties !== undefined;
  return isInterface ? `${head}export interface ${name} ${text}` : `${head}export type ${name} = ${text};`;
}

function textOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref.replace('#/$defs/', ''));
  if (schema.contentEncoding === 'binary') return 'File';
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union([...schema.enum.map(literal), ...(schema.isOpen ? ['(string & {})'] : [])]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((each) => textOf(each, indent)));
  if (schema.allOf) return schema.allOf.map((each) => textOf(each, indent)).join(' & ');
  return union([schema.type ?? 'unknown'].flat().map((type) => plainText(type, schema, indent)));
}

function plainText(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = textOf(schema.items ?? {}, indent);
      return item.includes(' | ') ? `Array<${item}>` : `${item}[]`;
    }
    case 'object':
      return objectText(schema, indent);
    default:
      return type;
  }
}

function objectText({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? textOf(additionalProperties, indent) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, each]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${docOf(each, inner)}${inner}${keyOf(name)}${mark}: ${textOf(each, inner)};`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** Returns the doc comment of a field: its description and its default value. */
function docOf({ description, default: byDefault }: Schema, indent: string): string {
  const isSaid = byDefault !== undefined && typeof byDefault !== 'object';
  return docText([description, ...(isSaid ? [`@defaultValue ${literal(byDefault)}`] : [])], indent);
}

export function docText(paragraphs: readonly (string | undefined)[], indent: string): string {
  const lines = paragraphs.filter((each) => each !== undefined && each !== '');
  if (lines.length === 0) return '';
  const text = lines.join('\n').replaceAll('*/', '*\\/');
  if (!text.includes('\n')) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${text.replace(/^/gm, `${indent} * `)}\n${indent} */\n`;
}

function union(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : String(value);
}

function keyOf(name: string): string {
  return /^[\w$]+$/.test(name) ? name : literal(name);
}
