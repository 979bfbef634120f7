import type { Schema } from '@plataforma/api-docs/schemas';
import type { Endpoint } from '@plataforma/contracts';
import { LOCAL_API } from '../code.ts';
import { exampleBodyOf, idOf, queryOf } from './example.ts';
import type { SdkMethod } from './sdk-methods.ts';

interface Called {
  endpoint: Endpoint;
  operation: Schema;
  methods: readonly SdkMethod[];
  /** The name of the variable that holds the answer in the sample. */
  noun: string;
}

/**
 * Returns a complete program that calls the endpoint with the SDK; undefined if the SDK has no method for the
 * endpoint.
 */
export function sdkSampleOf(called: Called): string | undefined {
  const { endpoint, methods } = called;
  if (methods.length === 0) return undefined;
  const imports = endpoint.takesFile ? ["import { readFile } from 'node:fs/promises';"] : [];
  return [
    ...imports,
    "import { Plataforma } from '@plataforma/sdk';",
    '',
    'const plataforma = new Plataforma({',
    "  apiKey: process.env.PLATAFORMA_API_KEY ?? '',",
    `  baseUrl: '${LOCAL_API}',`,
    '});',
    '',
    ...methods.map((method) => callOf(method, called)),
  ].join('\n');
}

function callOf({ name, answers }: SdkMethod, called: Called): string {
  const call = `plataforma.${name}(${argumentsOf(called).join(', ')})`;
  if (answers === 'list') return `for await (const each of ${call}) {\n  console.log(each);\n}`;
  if (answers === 'file') return `const ${name.split('.').at(-1)} = await ${call}.text();`;
  return `const ${called.noun} = await ${call};`;
}

function argumentsOf({ endpoint, operation }: Called): string[] {
  const query = queryOf(endpoint, operation);
  const body = exampleBodyOf(endpoint);
  return [
    ...(endpoint.path.includes('/:') ? [`'${idOf(endpoint, operation)}'`] : []),
    ...(Object.keys(query).length > 0 ? [literalOf(query)] : []),
    ...(body === undefined ? [] : [literalOf(endpoint.takesFile ? { ...Object(body), file: FILE } : body)]),
  ];
}

/** Stands for a file in the example body, because JSON can't represent a file. */
const FILE = Symbol('file');
const FILE_TEXT = "new File([await readFile('proof.pdf')], 'proof.pdf')";

function literalOf(value: unknown, indent = ''): string {
  if (value === FILE) return FILE_TEXT;
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => literalOf(each, indent)).join(', ')}]`;
  const fields = Object.entries(value).map(([name, each]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : literalOf(name);
    return `${indent}  ${key}: ${literalOf(each, `${indent}  `)},`;
  });
  const [only] = fields;
  if (fields.length === 1 && only && !only.includes('\n')) return `{ ${only.trim().slice(0, -1)} }`;
  return `{\n${fields.join('\n')}\n${indent}}`;
}
