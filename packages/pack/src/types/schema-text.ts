import { z } from 'zod';

/** The part of a JSON schema that is printed. */
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
  /** A later release of the API may add values. */
  isOpen?: true;
  $defs?: Record<string, Schema>;
}

export type Direction = 'input' | 'output';

/** Type names that would hide a global type of the runtimes. */
const RENAMED: Record<string, string> = { File: 'EvidenceFile' };
const nameOf = (name: string) => RENAMED[name] ?? name;

/** Prints the types of schemas, and collects the declarations of named types. */
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
    /** Returns the text of a type, or its name if it has one. */
    typeOf,
    /** Declares the type under this name, unless its text contains names only. */
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
      // A string with a list of values may get more values; an enum may not.
      if (zodSchema._zod.def.type === 'string' && jsonSchema.enum)
        Object.assign(jsonSchema, { isOpen: true });
    },
  });
  return isSchema(json) ? json : {};
}

/** Narrows zod's own type, in which each keyword is optional and may be undefined. */
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

/** Returns the TSDoc of a description and of a default value. */
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
