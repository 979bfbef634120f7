import { expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

async function answerTo(payerDocument: string, { key = newId(), tenant = newTenant() as Tenant } = {}) {
  const headers = { ...merchantHeader(tenant), 'idempotency-key': key };
  const body = newOrder({ payerDocument, externalId: key });
  const answer = await world.client.send('/v1/charges', { method: 'POST', headers, body });
  return { status: answer.status, warning: answer.headers.get('x-sandbox-warning') };
}

test.each([
  ['123.456.789-00', 'CPF'],
  ['11111111111', 'CPF'],
  ['12345678000100', 'CNPJ'],
  ['12ABC34501DE00', 'CNPJ'],
])('the sandbox accepts the document %s with a warning about production', async (payerDocument, type) => {
  const warning = `payerDocument: the check digits of this ${type} are wrong; production refuses it`;

  expect(await answerTo(payerDocument)).toEqual({ status: 201, warning });
});

test('the same request gets the same warning again', async () => {
  const request = { key: newId(), tenant: newTenant() };

  const first = await answerTo('12345678900', request);

  expect(first.warning).toContain('CPF');
  expect(await answerTo('12345678900', request)).toEqual(first);
});

test('a valid document and production get no warning', async () => {
  const production = { ...newTenant(), environment: 'production' as const };

  expect(await answerTo('12345678909')).toEqual({ status: 201, warning: null });
  expect(await answerTo('12345678909', { tenant: production })).toEqual({ status: 201, warning: null });
  expect(await answerTo('12345678900', { tenant: production })).toEqual({ status: 400, warning: null });
});
