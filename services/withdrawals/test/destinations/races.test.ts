import { beforeAll, expect, test } from '@jest/globals';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { bankBody, newPixBody, save, saved } from '../support/destination-bodies.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld, type World } from '../support/world.ts';

const ROUNDS = rounds(20);

const world = worldOfFile(sharedWorld);
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
