import { openApiDocument } from '@plataforma/api-docs/openapi';
import { inside, isObject } from '@plataforma/api-docs/schemas';
import { api, type Endpoint, routeOf } from '@plataforma/contracts';
import { codeOf } from '../code.ts';
import type { Content } from '../model.ts';
import { allErrors, type Described, objectIn, objectOf, shownOf, successesOf } from './endpoints.ts';
import { fieldsOf } from './fields.ts';
import { merchantResources, operatorResources, resourceOf } from './resources.ts';
import { sdkMethods } from './sdk-methods.ts';

export type ReferencePage = { slug: string } & Extract<Content, { kind: 'resource' | 'errors' | 'events' }>;

/** The introduction of the OpenAPI document in Markdown, and all pages of the reference. */
export interface Reference {
  introduction: string;
  pages: ReferencePage[];
}

/**
 * Reads the reference from the OpenAPI document. All texts are still in English, and descriptions are in
 * Markdown.
 */
export function readReference(): Reference {
  const document = openApiDocument(api);
  const components = inside(document, 'components', 'schemas');
  const described = describe(document);
  const owners = ownersOf(described);
  const pages = [...merchantResources, ...operatorResources].map(({ slug }): ReferencePage => {
    const own = described.filter(({ endpoint }) => resourceOf(endpoint).slug === slug);
    const names = [...owners].filter(([, owner]) => owner === slug).map(([name]) => name);
    return {
      kind: 'resource',
      slug,
      endpoints: own.map((each) => shownOf(each, (name) => owners.get(name))),
      objects: names.map((name) => objectOf(name, components)),
    };
  });
  return {
    introduction: document.info.description ?? '',
    pages: [...pages, { kind: 'errors', slug: 'reference/errors', errors: allErrors() }, eventsOf(document)],
  };
}

/**
 * Returns each endpoint of the contract with its description in the OpenAPI document and its methods in the
 * SDK.
 */
export function describe(document: unknown): Described[] {
  const components = inside(document, 'components', 'schemas');
  const responses = inside(document, 'components', 'responses');
  return Object.entries<Endpoint>(api).map(([name, endpoint]): Described => {
    const { method, path } = endpoint;
    const operation = inside(document, 'paths', path.replace(/:(\w+)/g, '{$1}'), method);
    const methods = sdkMethods.get(routeOf(endpoint)) ?? [];
    return { name, endpoint, operation, components, responses, methods };
  });
}

/** Returns the page that explains each object: the first page with an endpoint that returns the object. */
function ownersOf(described: readonly Described[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { slug } of [...merchantResources, ...operatorResources]) {
    for (const each of described.filter(({ endpoint }) => resourceOf(endpoint).slug === slug)) {
      for (const [, answer] of successesOf(each)) {
        const name = objectIn(inside(answer, 'content'))?.name;
        if (name !== undefined && !owners.has(name)) owners.set(name, slug);
      }
    }
  }
  return owners;
}

/**
 * Returns the page of events. The fields that all events have are described once, and the fields of `data`
 * for each event.
 */
function eventsOf(document: unknown): Extract<ReferencePage, { kind: 'events' }> {
  const components = inside(document, 'components', 'schemas');
  const entries = Object.entries(inside(document, 'webhooks')).map(([name, methods]) => {
    const operation = inside(methods, 'post');
    const media = inside(operation, 'requestBody', 'content', 'application/json');
    const [shown] = Object.values(inside(media, 'examples'));
    const example = media.example ?? (isObject(shown) ? shown.value : undefined);
    const code = [{ label: name, language: 'json', code: JSON.stringify(example, null, 2) }];
    const fields = fieldsOf(inside(media, 'schema'), components);
    return {
      name,
      fields,
      example: codeOf(code),
      description: String(operation.description ?? ''),
    };
  });
  return {
    kind: 'events',
    slug: 'reference/events',
    description: entries[0]?.description ?? '',
    envelope: (entries[0]?.fields ?? []).map((field) =>
      field.name === 'data'
        ? { ...field, type: 'object', children: [] }
        : { ...field, type: plainType(field.type) },
    ),
    events: entries.map(({ name, fields, example }) => ({
      ...{ name, example },
      fields: fields.find((field) => field.name === 'data')?.children ?? [],
    })),
  };
}

/**
 * Replaces an event's name by `string`. The page takes the common fields from one event, in which the type of
 * a field is that event's name.
 */
const plainType = (type: string) => (type.startsWith('"') ? 'string' : type);
