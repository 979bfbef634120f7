import { type Endpoint, endpoints, routeOf } from '@plataforma/contracts';
import { type DescribedMethod, describedMethods } from '@plataforma/sdk/described';
import type { z } from 'zod';
import { type createPrinter, docText } from './schema-text.ts';

type Printer = ReturnType<typeof createPrinter>;

const byRoute = new Map(endpoints.map((endpoint) => [routeOf(endpoint), endpoint]));

function endpointOf({ route }: DescribedMethod): Endpoint {
  const endpoint = byRoute.get(route);
  if (!endpoint) throw new Error(`no endpoint is ${route}`);
  return endpoint;
}

/**
 * Returns an interface for each resource of the SDK. Each method has the description from the API's contract.
 */
export function resourceTypes(printer: Printer): string[] {
  const resources = Map.groupBy(describedMethods, ({ path }) => path[0] ?? '');
  const names = [...resources.keys()].map((name) => `  readonly ${name}: ${pascal([name])};`);
  return [
    `export interface Resources {\n${names.join('\n')}\n}`,
    ...[...resources].map(
      ([name, own]) => `export interface ${pascal([name])} ${membersOf(own, { depth: 1, printer })}`,
    ),
  ];
}

interface PrintContext {
  depth: number;
  printer: Printer;
}

function membersOf(methods: readonly DescribedMethod[], { depth, printer }: PrintContext): string {
  const indent = '  '.repeat(depth);
  const members = Map.groupBy(methods, ({ path }) => path[depth] ?? '');
  const texts = [...members].map(([name, own]) => {
    const [method] = own;
    if (!method || method.path.length > depth + 1) {
      return `${indent}readonly ${name}: ${membersOf(own, { depth: depth + 1, printer })};`;
    }
    return methodText(method, { indent, printer });
  });
  return `{\n${texts.join('\n')}\n${'  '.repeat(depth - 1)}}`;
}

function methodText(
  method: DescribedMethod,
  { indent, printer }: { indent: string; printer: Printer },
): string {
  const endpoint = endpointOf(method);
  const { summary, description, alsoAs = [], otherStatus } = endpoint;
  const file = alsoAs.find(({ mediaType }) => mediaType === method.fileType);
  const doc = docText(
    [`${summary}.`, ...(file ? [file.description] : [description, otherStatus?.when])],
    indent,
  );
  const name = method.path.at(-1) ?? '';
  return `${doc}${indent}${name}(${givenTo(method, printer).join(', ')}): ${answerOf(method, printer)};`;
}

function givenTo(method: DescribedMethod, printer: Printer): string[] {
  const { query, body, path } = endpointOf(method);
  const called = (what: string) => pascal([...method.path, what]);
  return [
    ...(path.includes(':') ? ['id: string'] : []),
    ...(body ? [given('body', printer.typeCalled(called('body'), body, 'input'), body)] : []),
    ...(query ? [given('query', queryOf(method, { query, printer }), query)] : []),
    `options?: ${method.isKeyed ? 'WriteOptions' : 'RequestOptions'}`,
  ];
}

/** Returns an argument of a method. The argument is optional if an empty object is valid. */
function given(name: string, type: string, schema: z.ZodType): string {
  return `${name}${schema.safeParse({}).success ? '?' : ''}: ${type}`;
}

/**
 * Returns the type of a method's query. A query for a file has no paging fields, because the file contains
 * all rows.
 */
function queryOf(
  method: DescribedMethod,
  { query, printer }: { query: z.ZodType; printer: Printer },
): string {
  const path = method.fileType ? [...method.path.slice(0, -1), fileless(method)] : method.path;
  const type = printer.typeCalled(pascal([...path, 'query']), query, 'input');
  return method.fileType ? `Omit<${type}, 'page' | 'limit' | 'after'>` : type;
}

function fileless({ path }: DescribedMethod): string {
  return (path.at(-1) ?? '').replace(/(?:Csv|Ofx)$/, '');
}

function answerOf(method: DescribedMethod, printer: Printer): string {
  if (method.fileType) return 'Download';
  const { data, otherStatus } = endpointOf(method);
  const called = pascal([...method.path, 'answer']);
  const type = printer.typeCalled(called, data, 'output');
  if (method.isList) return `List<${type}>`;
  const other = otherStatus?.data;
  const all = other ? [type, printer.typeCalled(`${called}Pending`, other, 'output')] : [type];
  return `Promise<${[...new Set(all)].join(' | ')}>`;
}

function pascal(words: readonly string[]): string {
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}
