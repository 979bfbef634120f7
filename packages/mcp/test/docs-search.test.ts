import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api as endpoints } from '@plataforma/contracts';
import { type Loopback, startLoopback } from '@plataforma/testing';
import { type Assistant, startAssistant } from './support/assistant.ts';

const OPERATE = join(__dirname, '../../../docs/operate');
let api: Loopback;
let assistant: Assistant;

/** The documents for operators, in the form in which the documentation site serves them. */
const pages = readdirSync(OPERATE).map((name) =>
  readFileSync(join(OPERATE, name), 'utf8').replace('\n', `\n\nFor operators: docs/operate/${name}\n`),
);

beforeAll(async () => {
  api = await startLoopback(async (request, response) => {
    const texts: Record<string, string> = {
      '/openapi.json': JSON.stringify(openApiDocument(endpoints)),
      '/llms-full.txt': pages.join('\n'),
    };
    const text = texts[request.url ?? ''];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  assistant = await startAssistant({ baseUrl: api.url, key: `sk_sandbox_${'a'.repeat(22)}` });
});
afterAll(async () => {
  await assistant.client.close();
  await api.stop();
});

test.each([
  ['how do operators restore a database backup', 'docs/operate/restore.md'],
  ['Postgres', 'PostgreSQL'],
])('a search for %j finds %s', async (query, found) => {
  expect((await assistant.call('searchDocs', { query })).text).toContain(found);
});

test('a search with merchant results shows no operator pages', async () => {
  const { text } = await assistant.call('searchDocs', { query: 'rotate secret webhook' });

  expect(text).toContain('/v1/webhook-config/{id}/rotate-secret');
  expect(text).not.toContain('For operators');
});
