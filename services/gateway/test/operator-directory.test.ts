import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { tamper } from './support/kept-chains.ts';
import { operatorAs } from './support/operators.ts';
import { signerOf, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const fields = z.strictObject({
  ...{ id: z.uuid(), role: z.string(), createdAt: z.iso.datetime() },
  ...{ createdBy: z.uuid().nullable(), isSingle: z.boolean() },
});

const ask = ({ internalUrl }: { internalUrl: string }, headers: Record<string, string>) =>
  fetch(`${internalUrl}/internal/operators`, { headers });

async function read(gateway = world.gateway) {
  const identity = signerOf('charges').sign({ kind: 'service' }, 'gateway');
  const response = await ask(gateway, { 'x-internal-identity': identity });
  return z.object({ data: z.array(fields) }).parse(await response.json()).data;
}
const singles = async (gateway = world.gateway) => [
  ...new Set((await read(gateway)).map(({ isSingle }) => isSingle)),
];

describe('the list of operators for services', () => {
  test('has active operators with role, age and creator', async () => {
    const operator = await operatorAs(world, 'FINANCE');
    const gone = await operatorAs(world, 'ADMIN');
    await world.database.query('UPDATE operators SET is_active = false WHERE id = $1', [gone.id]);
    const created = await world.post(
      '/v1/admin/operators',
      { email: `${newId()}@plataforma.test`, password: 'uma senha bem longa', role: 'SUPPORT' },
      await world.operator(),
    );

    const found = await read();

    expect(found.find(({ id }) => id === operator.id)).toMatchObject({ role: 'FINANCE', createdBy: null });
    expect(found.map(({ id }) => id)).not.toContain(gone.id);
    const [first] = await world.database.query<{ id: string }>(
      'SELECT id FROM operators ORDER BY created_at LIMIT 1',
    );
    expect(created.status).toBe(201);
    expect(found).toContainEqual(expect.objectContaining({ role: 'SUPPORT', createdBy: first?.id }));
  });

  test('is refused without a service’s identity', async () => {
    expect((await ask(world.gateway, {})).status).toBe(401);
  });

  test('says single until a day after the second, and never again', async () => {
    const second = await operatorAs(world, 'ADMIN');
    await world.database.query("UPDATE operators SET created_at = now() - interval '1 hour'");
    const [first] = await world.database.query<{ id: string }>(
      "UPDATE operators SET created_at = now() - interval '9 days' WHERE email NOT LIKE '%-%' RETURNING id",
    );
    const me = async () => (await world.call('/v1/admin/me', { headers: second.headers })).json.data;
    expect([await singles(), await me()]).toEqual([
      [true],
      expect.objectContaining({ singleOperator: true }),
    ]);

    await world.database.query(
      "UPDATE operators SET created_at = now() - interval '25 hours' WHERE id = $1",
      [second.id],
    );
    expect([await singles(), await me()]).toEqual([
      ...[[false], expect.objectContaining({ singleOperator: false })],
    ]);

    await world.database.query('UPDATE operators SET is_active = id = $1', [first?.id]);
    expect(await read()).toMatchObject([{ id: first?.id, isSingle: false }]);
  });

  test('says two if only the audit log has a second', async () => {
    await world.database.query('UPDATE operators SET created_at = now(), is_active = true');
    expect(await singles()).toEqual([true]);

    // The first test has created an operator through the API.
    const earlier = "at = now() - interval '25 hours' WHERE action = 'operator.create'";
    await tamper(world.database, `UPDATE audit_log SET ${earlier}`);

    expect(await singles()).toEqual([false]);
  });

  test('says single where the configuration says so', async () => {
    const replica = await world.startReplica(undefined, { SINGLE_OPERATOR: 'true' });

    expect([await singles(), await singles(replica)]).toEqual([[false], [true]]);
  });
});
