import { stripVTControlCharacters } from 'node:util';
import { expect } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { z } from 'zod';
import { openApiDocument } from '../../src/document.ts';

export const text = JSON.stringify(openApiDocument(api));
const withSchema = z.looseObject({ schema: z.record(z.string(), z.unknown()) });
const content = z.looseObject({ 'application/json': withSchema });
/** Tests read the body of a form like any other body. */
const form = z
  .object({ 'multipart/form-data': withSchema })
  .transform((one) => ({ 'application/json': one['multipart/form-data'] }));
const answer = z.looseObject({
  description: z.string().min(1),
  content,
  headers: z.record(z.string(), z.unknown()).optional(),
});
export const { components } = z
  .looseObject({
    components: z.looseObject({
      schemas: z.record(z.string(), z.unknown()),
      responses: z.record(z.string(), answer),
    }),
  })
  .parse(JSON.parse(text));
const reference = z
  .object({ $ref: z.string() })
  .transform(({ $ref }) => components.responses[$ref.replace('#/components/responses/', '')])
  .pipe(answer);
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).default([]),
  requestBody: z.object({ required: z.boolean(), content: z.union([content, form]) }).optional(),
  responses: z.record(z.string(), z.union([reference, answer])),
});
export const document = z
  .looseObject({
    info: z.looseObject({ description: z.string() }),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    webhooks: z.record(z.string(), z.object({ post: z.looseObject({ requestBody: z.object({ content }) }) })),
  })
  .parse(JSON.parse(text));

export const all = Object.entries(api);
export type ApiName = keyof typeof api;

type Operation = z.infer<typeof operation>;

export function operationOf({ path, method }: { path: string; method: string }): Operation {
  const found = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

export const statusesOf = (described: Operation) => Object.keys(described.responses).map(Number);

/** Runs a check for every item and reports all failures with the names of their items. */
export function expectOfAll<T>(
  named: readonly (readonly [string, T])[],
  check: (one: T, name: string) => void,
): void {
  const wrong = named.flatMap(([name, one]) => {
    try {
      check(one, name);
      return [];
    } catch (error) {
      return [`${name}: ${stripVTControlCharacters(String(error))}`];
    }
  });
  expect(wrong).toEqual([]);
}
