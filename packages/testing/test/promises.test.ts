import { describe, expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api } from '@plataforma/contracts';
import { z } from 'zod';
import { type Given, promisesIn } from './story/promises.ts';

const document = JSON.parse(JSON.stringify(openApiDocument(api)));
const promises = promisesIn(document);

const account = z
  .looseObject({ id: z.string(), createdAt: z.string() })
  .parse(document.paths['/v1/account'].get.responses[200].content['application/json'].example.data);

function given(changes: Partial<Given> = {}): Given {
  const headers = new Headers({ 'x-request-id': 'one', ...Object.fromEntries(changes.headers ?? []) });
  const good = { method: 'GET', path: '/v1/account', status: 200, body: { success: true, data: account } };
  return { ...good, ...changes, headers };
}

const without = (whole: object, field: string) =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
const failing = (code: string) => ({ success: false, error: { code, message: 'no' } });
const missing = '/v1/charges/0195a7c4-1c1e-7c6e-9c7e-2f6a6a3f1c11';

describe('the contract check', () => {
  test.each<[string, Partial<Given>]>([
    ['that follows the document', {}],
    ['with a query', { path: '/v1/account?x=1', status: 400, body: failing('VALIDATION_ERROR') }],
    ['404 to an unknown id', { path: missing, status: 404, body: failing('NOT_FOUND') }],
    ['404 to an unknown path', { path: '/v1/none', status: 404, body: failing('NOT_FOUND') }],
    ['405 to an unknown method', { method: 'DELETE', status: 405, body: failing('METHOD_NOT_ALLOWED') }],
  ])('accepts an answer %s', (_what, changes) => {
    expect(() => promises.expectAnswer(given(changes))).not.toThrow();
  });

  test.each<[string, Partial<Given>, RegExp]>([
    ['without a field', { body: { success: true, data: without(account, 'cnpj') } }, /required/],
    [
      'with an undocumented field',
      { body: { success: true, data: { ...account, hash: 'x' } } },
      /additional/,
    ],
    [
      'with a field of another format',
      { body: { success: true, data: { ...account, createdAt: 'today' } } },
      /format/,
    ],
    ['with a failure’s body', { body: failing('NOT_FOUND') }, /other than the document says/],
    ['with an undocumented status', { status: 201 }, /does not name/],
    ['with a code of another endpoint', { status: 401, body: failing('INVALID_API_KEY') }, /INVALID_API_KEY/],
    ['of an undocumented endpoint', { path: '/v1/none' }, /no such operation/],
    ['without Retry-After', { status: 503, body: failing('SERVICE_UNAVAILABLE') }, /Retry-After/],
    ['with an undocumented header', { headers: new Headers({ 'idempotency-replayed': 'true' }) }, /Replayed/],
  ])('refuses an answer %s', (_what, changes, why) => {
    expect(() => promises.expectAnswer(given(changes))).toThrow(why);
  });
});

test('the contract check accepts only webhooks with the promised fields', () => {
  const data = { id: account.id, message: 'hello' };
  const timestamp = account.createdAt;
  const webhook = { event: 'webhook.test', data, timestamp, eventId: account.id, sequence: 1 };

  expect(() => promises.expectWebhook(JSON.stringify(webhook))).not.toThrow();
  expect(() =>
    promises.expectWebhook(JSON.stringify({ ...webhook, data: { ...data, secret: 'x' } })),
  ).toThrow(/additional/);
  expect(() => promises.expectWebhook(JSON.stringify({ ...webhook, event: 'none' }))).toThrow();
});
