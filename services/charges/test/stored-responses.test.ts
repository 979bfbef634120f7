import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { runSealRows, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { insiderOf } from './support/insider.ts';
import { send, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const insider = insiderOf(world);

async function created() {
  const [key, body] = [newId(), newOrder()];
  const headers = { ...merchantHeader(newTenant('production')), 'idempotency-key': key };
  const create = () => send(world.client, '/v1/charges', { headers, body });
  const first = await create();
  expect(first.status).toBe(201);
  return { key, create, first };
}

test.each([
  ['another Pix code', "answer = replace(answer, 'br.gov.bcb.pix', 'br.gov.bcb.thf')"],
  ['another status', 'status = 200'],
  ['other work', 'begun_id = gen_random_uuid()'],
  ['the answer of no request', 'begun_id = gen_random_uuid(), status = NULL, answer = NULL'],
  ['no seal', 'seal = NULL'],
])('an intruder’s stored response with %s is not repeated', async (_, change) => {
  const { key, create } = await created();

  await insider.query(`UPDATE idempotency_keys SET ${change} WHERE key = $1`, [key]);

  expect(await create()).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
});

test('the stored response of another key is not repeated', async () => {
  const [own, other] = [await created(), await created()];
  await insider.query(
    `UPDATE idempotency_keys own SET answer = other.answer, seal = other.seal, begun_id = other.begun_id
     FROM idempotency_keys other WHERE own.key = $1 AND other.key = $2`,
    [own.key, other.key],
  );

  expect(await own.create()).toMatchObject({ status: 409 });
});

test.each(['SET status = status', "SET created_at = now() - interval '2 days'", "SET key = 'x' || key"])(
  'a repeat finds its response after an intruder’s %s and DELETE',
  async (change) => {
    const { key, create, first } = await created();

    for (const statement of [`UPDATE idempotency_keys ${change}`, 'DELETE FROM idempotency_keys'])
      await insider.query(`${statement} WHERE key = $1`, [key]).catch(() => null);

    expect(await create()).toMatchObject({ status: 201, data: { id: (first.data as { id: string }).id } });
  },
);

test('the owner of the tables may delete a stored response', async () => {
  const { key } = await created();

  const deleted = await world.database.query('DELETE FROM idempotency_keys WHERE key = $1 RETURNING key', [
    key,
  ]);

  expect(deleted).toEqual([{ key }]);
});

test('the command seals the responses of an earlier release', async () => {
  const [one, other] = [await created(), await created()];
  await insider.query('UPDATE idempotency_keys SET seal = NULL WHERE key = ANY ($1)', [[one.key, other.key]]);

  expect((await one.create()).status).toBe(409);
  await runSealRows('charges', world.env);

  expect([(await one.create()).status, (await other.create()).status]).toEqual([201, 201]);
});
