import { beforeAll, describe, expect, test } from '@jest/globals';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { bankBody, newPixBody, save, saved } from '../support/destination-bodies.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld, type World } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const refusal = (message: string) => ({ status: 400, error: { code: 'VALIDATION_ERROR', message } });
const pix = (pixKeyType: string, pixKey: unknown) => ({ type: 'PIX', pixKeyType, pixKey });

test.each([
  ['CPF', '111.444.777-35', '11144477735'],
  ['CPF', '11111111111', '11111111111'],
  ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
  ['CNPJ', '12.abc.345/01de\u201335\u200b', '12ABC34501DE35'],
  ['CNPJ', '00038166000105', '00038166000105'],
  ['EMAIL', 'Maria.Silva@Loja.Example', 'maria.silva@loja.example'],
  ['PHONE', '5511987654321', '+5511987654321'],
  ['PHONE', '+14155550100', '+14155550100'],
  ['EVP', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
])('a key of type %s like %s is stored as %s', async (type, raw, stored) => {
  const { status, data } = await save(world, newTenant(), pix(type, raw));

  expect(status).toBe(201);
  expect(data).toMatchObject({ pixKeyType: type, pixKey: stored });
});

test.each<[string, string, ...string[]]>([
  ['CPF', 'a CPF of 11 digits', '1234567890', '52599927000121', '١٢٣٤٥٦٧٨٩٠٩', 'maria@loja.example'],
  ['CNPJ', 'a CNPJ of 14 characters', '12345678909'],
  ['EMAIL', 'an e-mail address of at most 77 characters', 'maria', 'maria@exemplo..com'],
  ['PHONE', 'a phone number with area code', '98765-4321', '987654321', 'maria@exemplo.com'],
  [
    'EVP',
    'a random key such as 123e4567-e12b-12d1-a456-426655440000',
    ...['12345678909', '123e4567', 'maria@exemplo.com', '4111 1111 1111 1111'],
  ],
])('a key of type %s must be %s', async (type, form, ...raw) => {
  const answers = await Promise.all(raw.map((key) => save(world, newTenant(), pix(type, key))));

  expect(answers).toMatchObject(raw.map(() => refusal(`pixKey: must be ${form}`)));
});

test.each(['1', '1234567890123456789-X', '12345678901234567890', '00012345X'])(
  'the account number %s is accepted',
  async (account) => {
    const answer = await save(world, newTenant(), { ...bankBody, account });

    expect(answer).toMatchObject({ status: 201, data: { account } });
  },
);

describe('a destination in production', () => {
  test.each([
    [pix('CPF', '111.444.777-05'), 'pixKey: its check digits are wrong'],
    [pix('CPF', '11111111111'), 'pixKey: its check digits are wrong'],
    [pix('CNPJ', '00038166000106'), 'pixKey: its check digits are wrong'],
    [{ ...bankBody, holderDocument: '12345678900' }, 'holderDocument: its check digits are wrong'],
    [{ ...bankBody, holderDocument: '11111111111111' }, 'holderDocument: its check digits are wrong'],
  ])('%j is refused: %s', async (body, message) => {
    expect(await save(world, newTenant('production'), body)).toMatchObject(refusal(message));
    expect((await save(world, newTenant('sandbox'), body)).status).toBe(201);
  });

  test.each([
    pix('CPF', '11144477735'),
    pix('CNPJ', '12ABC34501DE35'),
    newPixBody(),
    bankBody,
    { ...bankBody, holderDocument: '12.ABC.345/01DE-35' },
  ])('%j is accepted', async (body) => {
    expect((await save(world, newTenant('production'), body)).status).toBe(201);
  });
});

const ROUNDS = rounds(20);

let replica: World['call'];

beforeAll(async () => {
  replica = (await world.startReplica()).client.call;
});

const liveOf = async (merchantId: string) => {
  const rows = await world.database.query<{ id: string }>(
    'SELECT id FROM destinations WHERE merchant_id = $1 AND deleted_at IS NULL',
    [merchantId],
  );
  return rows.map(({ id }) => id);
};

test('concurrent saves of one destination create it once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const tenant = newTenant();
    const body = round % 2 === 0 ? newPixBody() : bankBody;

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => save(i % 2 ? world : { call: replica }, tenant, body)),
    );

    const live = await liveOf(tenant.merchantId);
    expect(live).toHaveLength(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    for (const { data } of answers) expect(data).toMatchObject({ id: live[0] });
  }
});

test('one of twelve concurrent saves gets the last slot', async () => {
  const tenant = newTenant();
  await world.database.query(
    `INSERT INTO destinations (id, merchant_id, environment, type, pix_key_type, pix_key, created_at)
     SELECT gen_random_uuid(), $1, $2, 'PIX', 'EVP', gen_random_uuid(), now() FROM generate_series(1, 999)`,
    [tenant.merchantId, tenant.environment],
  );

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => save(i % 2 ? world : { call: replica }, tenant, newPixBody())),
  );

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ error }) => error?.code === 'DESTINATION_LIMIT_REACHED')).toHaveLength(11);
  expect(await liveOf(tenant.merchantId)).toHaveLength(1000);
});

test('a concurrent delete and save never leave a destination twice', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const tenant = newTenant();
    const body = newPixBody();
    const first = await saved(world, tenant, body);

    const [removed, added, alsoRemoved] = await Promise.all([
      world.call(tenant, `/v1/destinations/${first.id}`, { method: 'DELETE' }),
      save({ call: replica }, tenant, body),
      replica(tenant, `/v1/destinations/${first.id}`, { method: 'DELETE' }),
    ]);

    const live = await liveOf(tenant.merchantId);
    expect([removed.status, alsoRemoved.status].toSorted()).toEqual([200, 404]);
    expect(live).toHaveLength(added.status === 201 ? 1 : 0);
    expect(live).not.toContain(first.id);
  }
});
