import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { findDestination } from '../../src/store/destinations.ts';
import { bankBody, newPixBody, save, saved } from '../support/destination-bodies.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld, type World } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const notFound = {
  status: 404,
  error: { code: 'NOT_FOUND', message: 'there is no destination with this id' },
};
const list = (tenant: Parameters<World['call']>[0], query = '') =>
  world.call(tenant, `/v1/destinations${query}`);

describe('saving a destination', () => {
  test('stores a Pix key in the form of the DICT', async () => {
    const tenant = newTenant();

    const answer = await save(world, tenant, {
      type: 'PIX',
      pixKeyType: 'PHONE',
      pixKey: ' (11) 98765-4321 ',
      label: '  Fornecedor ',
    });

    expect(answer).toMatchObject({ status: 201, success: true });
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'PIX',
      pixKeyType: 'PHONE',
      pixKey: '+5511987654321',
      label: 'Fornecedor',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test('stores a bank account', async () => {
    const body = {
      ...bankBody,
      branch: ' 0001-x ',
      account: '12.345.678-9',
      holderDocument: '123.456.789-09',
    };

    const { status, data } = await save(world, newTenant(), body);

    expect(status).toBe(201);
    expect(data).toEqual({
      ...bankBody,
      id: expect.any(String),
      branch: '0001-X',
      account: '12345678-9',
      label: null,
      createdAt: expect.any(String),
    });
  });

  test('twice gives one destination with the last label', async () => {
    const tenant = newTenant();
    const [pix, bank] = [newPixBody(), { ...bankBody, label: 'Maria' }];
    const first = [await saved(world, tenant, pix), await saved(world, tenant, bank)];

    const again = [
      await save(world, tenant, { ...pix, pixKey: String(pix.pixKey).toUpperCase() }),
      await save(world, tenant, { ...pix, label: 'Mãe' }),
      await save(world, tenant, pix),
      await save(world, tenant, { ...bankBody, label: undefined }),
    ];

    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(again.map(({ data }) => data)).toEqual([
      first[0],
      { ...first[0], label: 'Mãe' },
      { ...first[0], label: 'Mãe' },
      first[1],
    ]);
    expect((await list(tenant)).meta).toMatchObject({ total: 2 });
  });

  test.each([
    ['the bank', { bankCode: '001' }],
    ['the branch', { branch: '0002' }],
    ['the account', { account: '12345-7' }],
    ['the account type', { accountType: 'SAVINGS' }],
    ['the holder’s name', { holderName: 'Maria de Souza' }],
    ['the holder', { holderDocument: '52599927765' }],
  ])('with an account that differs in %s creates another one', async (_what, changes) => {
    const tenant = newTenant();
    const { id } = await saved(world, tenant, bankBody);

    const answer = await save(world, tenant, { ...bankBody, ...changes });

    expect(answer.status).toBe(201);
    expect(answer.data).not.toMatchObject({ id });
  });

  test('stops at a thousand active destinations', async () => {
    const tenant = newTenant();
    const { id } = await saved(world, tenant);
    await world.database.query(
      `INSERT INTO destinations (id, merchant_id, environment, type, pix_key_type, pix_key, created_at)
       SELECT gen_random_uuid(), $1, $2, 'PIX', 'EVP', gen_random_uuid(), now() FROM generate_series(1, 999)`,
      [tenant.merchantId, tenant.environment],
    );

    const full = await save(world, tenant, newPixBody());
    const elsewhere = await save(world, { ...tenant, environment: 'production' }, newPixBody());
    await world.call(tenant, `/v1/destinations/${id}`, { method: 'DELETE' });
    const freed = await save(world, tenant, newPixBody());

    expect(full).toMatchObject({ status: 422, error: { code: 'DESTINATION_LIMIT_REACHED' } });
    expect([elsewhere.status, freed.status]).toEqual([201, 201]);
  });
});

describe('reading destinations', () => {
  test('finds one by id and lists all by page', async () => {
    const tenant = newTenant();
    const three = [];
    for (let i = 0; i < 3; i += 1) three.unshift(await saved(world, tenant));

    const one = await world.call(tenant, `/v1/destinations/${three[1]?.id}`);
    const all = await list(tenant);
    const second = await list(tenant, '?page=2&limit=2');

    expect(one).toMatchObject({ status: 200, data: three[1] });
    expect(all).toMatchObject({ data: three, meta: { total: 3, page: 1, limit: 20, pages: 1 } });
    expect(second).toMatchObject({ data: three.slice(2), meta: { total: 3, page: 2, limit: 2, pages: 2 } });
  });
});

describe('deleting a destination', () => {
  test('hides it and retains its row for withdrawals', async () => {
    const tenant = newTenant();
    const { id } = await saved(world, tenant);
    const path = `/v1/destinations/${id}`;

    const removed = await world.call(tenant, path, { method: 'DELETE' });
    const again = await world.call(tenant, path, { method: 'DELETE' });
    const read = await world.call(tenant, path);

    expect(removed).toMatchObject({ status: 200, data: { message: 'the destination is deleted' } });
    expect([again, read]).toMatchObject([notFound, notFound]);
    expect(await list(tenant)).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await findDestination(world.database, tenant, id)).toBeNull();
    const rows = await world.database.query('SELECT deleted_at FROM destinations WHERE id = $1', [id]);
    expect(rows).toEqual([{ deleted_at: expect.any(Date) }]);
  });

  test('lets the same key be saved anew', async () => {
    const tenant = newTenant();
    const body = newPixBody({ label: 'Antigo' });
    const { id } = await saved(world, tenant, body);
    await world.call(tenant, `/v1/destinations/${id}`, { method: 'DELETE' });

    const anew = await saved(world, tenant, { ...body, label: undefined });

    expect(anew.id).not.toBe(id);
    expect(anew.label).toBeNull();
  });
});

describe('the scopes of destinations', () => {
  test.each([
    ['wallet:read', 403, 200],
    ['withdrawals:write', 201, 200],
    ['charges:write', 403, 403],
  ] as const)('%s writes with %i and reads with %i', async (scope, writes, reads) => {
    const tenant = newTenant();
    const { id } = await saved(world, tenant);
    const path = `/v1/destinations/${id}`;
    const scopes = [scope];

    const answers = [
      await save(world, tenant, newPixBody(), { scopes }),
      await world.call(tenant, '/v1/destinations', { scopes }),
      await world.call(tenant, path, { scopes }),
      await world.call(tenant, path, { method: 'DELETE', scopes }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([
      writes,
      reads,
      reads,
      writes === 201 ? 200 : writes,
    ]);
  });
});
