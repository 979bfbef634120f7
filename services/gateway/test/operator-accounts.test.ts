import { beforeEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { changeOperator } from '../src/operations/change-operator.ts';
import { auditOf, operatorAs } from './support/operators.ts';
import { sendLogIn } from './support/send.ts';
import { startWorld } from './support/world.ts';

type LoggedIn = Awaited<ReturnType<typeof operatorAs>>;

const PASSWORD = 'uma senha bem longa';

const world = worldOfFile(startWorld);
let admin: LoggedIn;

beforeEach(async () => {
  // Each test begins with one active ADMIN.
  await world.database.query('UPDATE operators SET is_active = false');
  admin = await operatorAs(world, 'ADMIN');
});

const newOperator = (changes: Record<string, unknown> = {}) => ({
  email: `${newId()}@plataforma.test`,
  password: PASSWORD,
  role: 'FINANCE',
  ...changes,
});
const create = (body: unknown, who = admin) => world.post('/v1/admin/operators', body, who.headers);
const change = (id: string, body: unknown, who = admin) =>
  world.call(`/v1/admin/operators/${id}`, { method: 'PATCH', body, headers: who.headers });
const list = (query = '', who = admin) => world.call(`/v1/admin/operators${query}`, { headers: who.headers });
const logIn = (email: string, password = PASSWORD) =>
  sendLogIn((body) => world.post('/v1/admin/auth/login', body), { email, password });

async function activeAdmins(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    "SELECT count(*) AS count FROM operators WHERE role = 'ADMIN' AND is_active",
  );
  return row?.count ?? 0;
}

describe('a new operator', () => {
  test('logs in with the rights of the role', async () => {
    const operatorBody = newOperator({ role: 'SUPPORT' });

    const { status, json } = await create({
      ...operatorBody,
      email: ` ${operatorBody.email.toUpperCase()} `,
    });

    expect(status).toBe(201);
    expect(json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: operatorBody.email,
      role: 'SUPPORT',
      isActive: true,
      createdAt: expect.stringMatching(/Z$/),
    });
    const { accessToken } = api.logInOperator.data.parse((await logIn(operatorBody.email)).json.data);
    const headers = { authorization: `Bearer ${accessToken}` };
    const merchants = await world.call('/v1/admin/merchants', { headers });
    const operators = await world.call('/v1/admin/operators', { headers });
    expect([merchants.status, operators.code]).toEqual([200, 'FORBIDDEN']);
  });

  test('is audited without e-mail or password; no password is readable', async () => {
    const operatorBody = newOperator({ password: `canary-${newId()}` });

    const { json } = await create(operatorBody);

    const { id } = api.createOperator.data.parse(json.data);
    const rows = await auditOf(world, id);
    expect(rows).toMatchObject([
      { operator_id: admin.id, action: 'operator.create', after: { role: 'FINANCE', isActive: true } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(operatorBody.email);
    const stored = JSON.stringify([
      await world.database.query('SELECT * FROM operators'),
      await world.database.query('SELECT * FROM audit_log'),
      await world.database.query('SELECT * FROM outbox'),
      (await list()).json,
    ]);
    expect(stored).toContain(operatorBody.email);
    expect(stored).not.toContain(operatorBody.password);
  });

  test('with a used e-mail is refused, also when both arrive at once', async () => {
    const { email } = newOperator();

    const answers = await Promise.all(Array.from({ length: 4 }, () => create(newOperator({ email }))));
    const later = await create(newOperator({ email: email.toUpperCase() }));

    const createOutcomes = answers.map(({ status, code }) => `${status} ${code}`).toSorted();
    expect(createOutcomes).toEqual(['201 ', ...Array.from({ length: 3 }, () => '409 OPERATOR_EXISTS')]);
    expect(later.json.error?.message).toBe('email: an operator with it exists already');
  });

  test('cannot be created by a deactivated operator', async () => {
    const other = await operatorAs(world, 'ADMIN');
    await list('', other);
    await change(other.id, { isActive: false });

    const answers = [await create(newOperator(), other), await change(admin.id, { role: 'SUPPORT' }, other)];

    // While the route has the operator in its cache, the transaction refuses with FORBIDDEN. After the cache
    // time, the route refuses with INVALID_TOKEN.
    for (const { code } of answers) expect(['FORBIDDEN', 'INVALID_TOKEN']).toContain(code);
    expect(await activeAdmins()).toBe(1);
  });
});

describe('the list of operators', () => {
  test('is newest first, with its page', async () => {
    const { json: made } = await create(newOperator());

    const { status, json } = await list('?limit=1');

    const [counted] = await world.database.query<{ total: number }>(
      'SELECT count(*) AS total FROM operators',
    );
    expect([status, json.data]).toEqual([200, [made.data]]);
    expect(json.meta).toMatchObject({ total: counted?.total, page: 1, limit: 1 });
  });
});

describe('an operator', () => {
  test('gets another role, which is audited', async () => {
    const other = await operatorAs(world, 'SUPPORT');

    const { status, json } = await change(other.id, { role: 'FINANCE' });

    expect([status, json.data]).toMatchObject([200, { id: other.id, role: 'FINANCE', isActive: true }]);
    expect(await auditOf(world, other.id)).toMatchObject([
      {
        operator_id: admin.id,
        action: 'operator.change',
        before: { role: 'SUPPORT', isActive: true },
        after: { role: 'FINANCE', isActive: true },
      },
    ]);
  });

  test('whose rights shrank meanwhile gets none back without a proposal', async () => {
    const { id } = await operatorAs(world, 'SUPPORT');

    const attempt = changeOperator(world.database, { operatorId: admin.id, id, role: 'FINANCE' });

    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  test('without a change is not audited', async () => {
    const other = await operatorAs(world, 'SUPPORT');

    const answers = [await change(other.id, {}), await change(other.id, { role: 'SUPPORT', isActive: true })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await auditOf(world, other.id)).toEqual([]);
  });

  test('cannot log in after deactivation, until reactivated', async () => {
    const operatorBody = newOperator();
    const { id } = api.createOperator.data.parse((await create(operatorBody)).json.data);
    await change(id, { isActive: false });

    const refused = await logIn(operatorBody.email);
    const wrong = await logIn(operatorBody.email, 'not the password');
    await change(id, { isActive: true });

    expect([refused.status, refused.code, refused.text]).toEqual([401, 'INVALID_CREDENTIALS', wrong.text]);
    expect((await logIn(operatorBody.email)).status).toBe(200);
  });
});

describe('the last active ADMIN', () => {
  test.each([{ role: 'FINANCE' }, { isActive: false }])('cannot become %j', async (body) => {
    expect(await change(admin.id, body)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    expect(await auditOf(world, admin.id)).toEqual([]);
    expect(await activeAdmins()).toBe(1);
  });

  test('is protected while the other ADMIN is inactive', async () => {
    const other = await operatorAs(world, 'ADMIN');
    await change(other.id, { isActive: false });

    expect((await change(admin.id, { isActive: false })).code).toBe('INVALID_STATE');
    await change(other.id, { isActive: true });
    expect((await change(admin.id, { isActive: false })).status).toBe(200);
  });

  test(`remains when two ADMINs lose access at once, ${rounds(30)} times`, async () => {
    const ids = [admin.id, (await operatorAs(world, 'ADMIN')).id] as const;
    const [first, second] = ids;
    const changed = (operatorId: string, id: string, change: object) =>
      changeOperator(world.database, { operatorId, id, ...change });

    for (let round = 0; round < rounds(30); round += 1) {
      await world.database.query(
        "UPDATE operators SET is_active = id = ANY ($1), role = CASE WHEN id = ANY ($1) THEN 'ADMIN' ELSE role END",
        [ids],
      );

      const outcomes = await Promise.allSettled([
        changed(first, first, { isActive: false }),
        changed(second, second, { role: 'SUPPORT' }),
        changed(second, first, { role: 'FINANCE' }),
      ]);

      expect(await activeAdmins()).toBe(1);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refused.map(({ code }) => code).every((code) => /^(INVALID_STATE|FORBIDDEN)$/.test(code))).toBe(
        true,
      );
    }
  });
});
