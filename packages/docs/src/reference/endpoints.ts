import { inside, isObject, listIn, nameIn, resolved, type Schema } from '@plataforma/api-docs/schemas';
import { type Endpoint, type ErrorCode, errorCatalogue } from '@plataforma/contracts';
import { type Block, codeOf } from '../code.ts';
import type { Answer, ErrorRow, Field, Endpoint as Shown } from '../model.ts';
import { curlOf } from './curl.ts';
import { fieldOf, fieldsOf, variantsOf } from './fields.ts';
import { sdkSampleOf } from './sdk.ts';
import type { SdkMethod } from './sdk-methods.ts';

/** An endpoint of the API's contract, and its description in the OpenAPI document. */
export interface Described {
  name: string;
  endpoint: Endpoint;
  operation: Schema;
  components: Schema;
  responses: Schema;
  /** The methods of the SDK that call the endpoint; empty if an API key may not call the endpoint. */
  methods: readonly SdkMethod[];
}

export function shownOf(described: Described, ownerOf: (object: string) => string | undefined): Shown {
  const { name, endpoint, operation, components } = described;
  const { access } = endpoint;
  return {
    name,
    method: endpoint.method.toUpperCase(),
    path: endpoint.path.replace(/:(\w+)/g, '{$1}'),
    summary: endpoint.summary,
    description: endpoint.description ?? '',
    access: access.kind,
    anyOf: access.kind === 'merchant' ? access.anyOf : access.kind === 'operator' ? access.roles : [],
    isKeyed: endpoint.keyed === true,
    isPaged: endpoint.paged === true,
    params: parametersIn(operation, 'path', components),
    query: parametersIn(operation, 'query', components),
    body: bodyIn(operation, components),
    answers: answersIn(described, ownerOf),
    examples: examplesIn(described),
    errors: errorsIn(described),
    samples: codeOf(samplesOf(described)),
  };
}

/**
 * Returns a sample request with curl, and a second one with the SDK if the SDK has a method for the endpoint.
 */
export function samplesOf(described: Described): Block[] {
  const { endpoint, operation } = described;
  const sdk = sdkSampleOf({ ...described, noun: nounOf(described) });
  return [
    { label: 'curl', language: 'bash', code: curlOf(endpoint, operation) },
    ...(sdk === undefined ? [] : [{ label: 'SDK', language: 'typescript', code: sdk }]),
  ];
}

function nounOf(described: Described): string {
  const [, answer] = successesOf(described)[0] ?? [];
  const name = objectIn(inside(answer, 'content'))?.name ?? 'answer';
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns the name of the object in the field `data`, or of the objects in the list under `data`. */
export function objectIn(content: Schema): { name: string; isList: boolean } | undefined {
  const data = inside(content, 'application/json', 'schema', 'properties', 'data');
  const name = nameIn(data) ?? nameIn(inside(data, 'items'));
  return name === undefined ? undefined : { name, isList: nameIn(data) === undefined };
}

export function successesOf({ operation }: Described): [string, Schema][] {
  return Object.entries(inside(operation, 'responses')).flatMap(([status, answer]) =>
    status.startsWith('2') && isObject(answer) ? [[status, answer]] : [],
  );
}

function parametersIn(operation: Schema, location: string, components: Schema): Field[] {
  return listIn(operation, 'parameters')
    .filter(isObject)
    .filter((parameter) => parameter.in === location)
    .map((parameter) =>
      fieldOf(String(parameter.name), inside(parameter, 'schema'), {
        components,
        isRequired: parameter.required === true,
      }),
    );
}

function bodyIn(operation: Schema, components: Schema): Shown['body'] {
  const [media] = Object.values(inside(operation, 'requestBody', 'content'));
  return isObject(media) ? variantsOf(inside(media, 'schema'), components) : [];
}

function answersIn(described: Described, ownerOf: (object: string) => string | undefined): Answer[] {
  return successesOf(described).map(([status, answer]) => {
    const content = inside(answer, 'content');
    const object = objectIn(content);
    const slug = object && ownerOf(object.name);
    const data = inside(content, 'application/json', 'schema', 'properties', 'data');
    return {
      status: Number(status),
      description: answer.description === 'Success.' ? '' : String(answer.description),
      object: object && slug !== undefined ? { ...object, slug } : undefined,
      fields: slug === undefined ? fieldsOf(data, described.components) : [],
    };
  });
}

/** Returns the HTML of the example answers. An answer that several statuses share appears once. */
function examplesIn(described: Described): string {
  const texts = successesOf(described).map(([status, answer]) => {
    const { example } = inside(answer, 'content', 'application/json');
    return { status, code: JSON.stringify(shortened(example), null, 2) };
  });
  const byCode = Map.groupBy(texts, ({ code }) => code);
  return [...byCode]
    .map(([code, same]) =>
      codeOf([{ label: same.map(({ status }) => status).join(', '), language: 'json', code }]),
    )
    .join('');
}

/** Shortens long texts, such as the image of a QR code. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 120 ? `${value.slice(0, 60)}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
}

function errorsIn({ operation, responses }: Described): ErrorRow[] {
  return Object.entries(inside(operation, 'responses')).flatMap(([status, answer]) => {
    if (status.startsWith('2') || !isObject(answer)) return [];
    const whole = resolvedResponse(answer, responses);
    const examples = inside(whole, 'content', 'application/json', 'examples');
    return Object.keys(examples).filter(isCode).map(rowOf);
  });
}

function resolvedResponse(answer: Schema, responses: Schema): Schema {
  const name = typeof answer.$ref === 'string' ? answer.$ref.split('/').at(-1) : undefined;
  return name === undefined ? answer : inside(responses, name);
}

function isCode(code: string): code is ErrorCode {
  return code in errorCatalogue;
}

function rowOf(code: ErrorCode): ErrorRow {
  return { code, status: errorCatalogue[code].status, when: errorCatalogue[code].when };
}

export function allErrors(): ErrorRow[] {
  return Object.keys(errorCatalogue).filter(isCode).map(rowOf);
}

export function objectOf(name: string, components: Schema) {
  return {
    name,
    fields: fieldsOf(resolved({ $ref: `#/components/schemas/${name}` }, components), components),
  };
}
