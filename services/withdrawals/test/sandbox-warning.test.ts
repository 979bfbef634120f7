import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { bankBody, save } from './support/destination-bodies.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const wrong = (field: string, type: string) =>
  `${field}: the check digits of this ${type} are wrong; production refuses it`;

test.each([
  ['CPF', '123.456.789-00', wrong('pixKey', 'CPF')],
  ['CNPJ', '12345678000100', wrong('pixKey', 'CNPJ')],
  ['CPF', '12345678909', null],
  ['PHONE', '11987654321', null],
])('a sandbox withdrawal to the %s %s has the warning %s', async (pixKeyType, pixKey, warning) => {
  const merchant = world.newMerchant({}, 'sandbox');

  const { status, headers } = await world.client.create(merchant, newOrder({ pixKeyType, pixKey }));

  expect([status, headers.get('x-sandbox-warning')]).toEqual([201, warning]);
});

test('the sandbox warns of destinations that production refuses', async () => {
  const key = await save(world, newTenant(), { type: 'PIX', pixKeyType: 'CPF', pixKey: '12345678900' });
  const account = await save(world, newTenant(), { ...bankBody, holderDocument: '12345678900' });
  const good = await save(world, newTenant(), { ...bankBody, holderDocument: '12345678909' });

  const said = [key, account, good].map(({ status, headers }) => [status, headers.get('x-sandbox-warning')]);
  expect(said).toEqual([
    [201, wrong('pixKey', 'CPF')],
    [201, wrong('holderDocument', 'CPF')],
    [201, null],
  ]);
});
