import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { api, type ProposalView } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { flipColumns, openAt, worldOfFile } from '@plataforma/testing/world';
import { auditOf, changeSettings, operatorAs, snapshotOf } from './support/operators.ts';
import { sendLogIn } from './support/send.ts';
import { startWorld } from './support/world.ts';

type Person = Awaited<ReturnType<typeof operatorAs>>;

const world = worldOfFile(startWorld);
let admin: Person;
let other: Person;
let finance: Person;
let fresh: Person;
let made: Person;

beforeAll(async () => {
  admin = await operatorAs(world, 'ADMIN', { days: 90 });
  other = await operatorAs(world, 'ADMIN', { days: 60 });
  finance = await operatorAs(world, 'FINANCE', { days: 60 });
  fresh = await operatorAs(world, 'ADMIN', { days: 0 });
  made = await operatorAs(world, 'ADMIN', { days: 29, createdBy: admin.id });
});
beforeEach(() => {
  const body = '{"success":true,"data":{"total":0,"items":[]}}';
  world.services.ledger.answer(() => ({ status: 200, body }));
});

const PASSWORD = `canary-${newId()}`;
const newOperator = (role = 'ADMIN') => ({ email: `${newId()}@plataforma.test`, password: PASSWORD, role });
const create = (person: Person, body: object, key?: string) =>
  world.post('/v1/admin/operators', body, { ...person.headers, ...(key && { 'idempotency-key': key }) });
const change = (person: Person, id: string, body: object) =>
  world.call(`/v1/admin/operators/${id}`, { method: 'PATCH', body, headers: person.headers });
const settings = (person: Person, id: string, body: object) =>
  changeSettings(world, id, { body, headers: person.headers });
const approve = (person: Person, id: string, key?: string) =>
  world.post(`/v1/admin/proposals/${id}/approve`, undefined, {
    ...person.headers,
    ...(key && { 'idempotency-key': key }),
  });
const reject = (person: Person, id: string) =>
  world.post(`/v1/admin/proposals/${id}/reject`, { reason: 'wrong' }, person.headers);
const read = (person: Person, path: string) =>
  world.call(`/v1/admin/proposals${path}`, { headers: person.headers });

function proposed({ status, json }: { status: number; json: { data?: unknown } }): ProposalView {
  expect(status).toBe(202);
  return api.approveProposal.data.parse(json.data);
}
const outcome = ({ status, code = '' }: { status: number; code?: string | undefined }) =>
  `${status} ${code}`.trim();
const roleOf = async (id: string) =>
  (await world.database.query('SELECT role, is_active FROM operators WHERE id = $1', [id]))[0];

describe('one ADMIN alone', () => {
  test('creates no operator, and approves in no other name', async () => {
    const body = newOperator();

    const proposal = proposed(await create(admin, body));

    expect(proposal).toMatchObject({
      ...{ service: 'gateway', action: 'operator.create', status: 'PROPOSED', proposedBy: admin.id },
      effect: `Create the operator ${body.email} with the role ADMIN.`,
    });
    const answers = [
      await approve(admin, proposal.id),
      await approve(fresh, proposal.id),
      await approve(made, proposal.id),
    ];
    expect(answers.map(outcome)).toEqual(Array(3).fill('403 FORBIDDEN'));
    expect(answers[0]?.json.error?.message).toMatch(/created more than 24 hours ago, must approve/);
    expect(await roleOf(proposal.subjectId)).toBeUndefined();
  });

  test('gives no rights, but takes them at once', async () => {
    const { id } = await operatorAs(world, 'FINANCE');

    const promoted = proposed(await change(admin, id, { role: 'ADMIN' }));
    expect(proposed(await change(admin, id, { role: 'ADMIN' })).id).toBe(promoted.id);
    expect(await change(admin, id, { role: 'SUPPORT' })).toMatchObject({ status: 200 });
    expect(await change(admin, id, { isActive: false })).toMatchObject({ status: 200 });
    const back = proposed(await change(admin, id, { isActive: true }));

    expect(back.effect).toMatch(/^Give the operator .+@plataforma\.test access\.$/);
    expect(await roleOf(id)).toEqual({ role: 'SUPPORT', is_active: false });
  });

  test.each<[object, string]>([
    [{ autoApproveLimit: 99_999_999_999 }, 'autoApproveLimit to R$ 999,999,999.99'],
    [{ pixFeeBps: 10_000, withdrawalFee: 1 }, 'pixFeeBps to 100.00 %, withdrawalFee to R$ 0.01'],
    [{ pixFeeBps: 0 }, 'pixFeeBps to 0.00 %'],
    [{ dailyWithdrawalLimit: null }, 'dailyWithdrawalLimit to no limit'],
    [{ newPayeesPerDay: 11 }, 'newPayeesPerDay to 11'],
    [{ destinationCooldownHours: 0 }, 'destinationCooldownHours to 0'],
    [
      { settlementDays: 0, settlementCalendar: 'banking' },
      'settlementDays to 0, settlementCalendar to banking',
    ],
    [{ cardEnabled: true }, 'cardEnabled to true'],
    [
      { destinationCooldownHours: 48, maxInstallments: 18 },
      'maxInstallments to 18, destinationCooldownHours to 48',
    ],
    [{ withdrawalFeeMode: 'BALANCE' }, 'withdrawalFeeMode to BALANCE'],
  ])('sets no %j', async (body, said) => {
    const { id } = await world.newMerchant();

    const proposal = proposed(await settings(admin, id, body));

    expect(proposal).toMatchObject({ action: 'merchant.settings', merchantId: id, subjectId: id });
    expect(proposal.effect).toBe(`Set for the merchant “Loja do Zé” (${id}): ${said}.`);
    expect(await snapshotOf(world, id)).toMatchObject({ version: 1 });
  });

  test('narrows a merchant at once', async () => {
    const { id } = await world.newMerchant();
    const narrower = {
      ...{ dailyWithdrawalLimit: 0, newPayeesPerDay: 0, destinationCooldownHours: 720 },
      ...{ settlementDays: 31, maxInstallments: 1, cardEnabled: false, autoApproveLimit: 0 },
    };

    expect(await settings(admin, id, narrower)).toMatchObject({ status: 200 });
    expect(await snapshotOf(world, id)).toMatchObject({ ...narrower, version: 2 });
  });
});

describe('an approval', () => {
  test('creates the operator of the proposer, whose password was never readable', async () => {
    const body = newOperator('SUPPORT');
    const { id, subjectId } = proposed(await create(admin, body));
    const stored = JSON.stringify([
      await world.database.query('SELECT * FROM proposals'),
      await world.database.query('SELECT * FROM audit_log'),
      (await read(admin, '')).json,
    ]);
    expect(stored).toContain('$argon2id$');
    expect(stored).not.toContain(PASSWORD);

    const answer = await approve(other, id);

    expect(answer).toMatchObject({
      status: 200,
      json: { data: { status: 'EXECUTED', decidedBy: other.id } },
    });
    expect(await auditOf(world, subjectId)).toMatchObject([
      {
        ...{ action: 'operator.create', operator_id: other.id },
        after: { role: 'SUPPORT', proposalId: id, proposedBy: admin.id, isAlone: false },
      },
    ]);
    const [row] = await world.database.query('SELECT created_by FROM operators WHERE id = $1', [subjectId]);
    expect(row).toEqual({ created_by: admin.id });
    const logIn = await sendLogIn((sent) => world.post('/v1/admin/auth/login', sent), body);
    expect(logIn.status).toBe(200);
    const [proposal] = await world.database.query('SELECT arguments FROM proposals WHERE id = $1', [id]);
    expect(JSON.stringify(proposal)).not.toContain('argon2');
    expect((await read(admin, `/${id}`)).json.data).toMatchObject({
      effect: expect.stringMatching(/^Create/),
    });
  });

  test('changes settings and rights, and announces them', async () => {
    const { id: merchantId } = await world.newMerchant();
    const { id: operatorId } = await operatorAs(world, 'SUPPORT');
    const fee = proposed(await settings(admin, merchantId, { pixFeeBps: 120, autoApproveLimit: 5_000 }));
    const role = proposed(await change(other, operatorId, { role: 'FINANCE' }));

    const answers = [await approve(other, fee.id), await approve(admin, role.id)];

    expect(answers.map(outcome)).toEqual(['200', '200']);
    expect(await snapshotOf(world, merchantId)).toMatchObject({
      ...{ pixFeeBps: 120, autoApproveLimit: 5_000, version: 2 },
    });
    expect((await auditOf(world, merchantId)).at(-1)).toMatchObject({
      ...{ operator_id: other.id, after: { pixFeeBps: 120, proposedBy: admin.id, proposalId: fee.id } },
    });
    expect(await roleOf(operatorId)).toEqual({ role: 'FINANCE', is_active: true });
  });

  test('needs an ADMIN, the proposer’s role and a fresh second factor', async () => {
    const { id } = proposed(await create(admin, newOperator()));

    expect(outcome(await approve(finance, id))).toBe('403 FORBIDDEN');
    expect(outcome(await reject(finance, id))).toBe('403 FORBIDDEN');
    await world.database.query(
      "UPDATE sessions SET factor_at = now() - interval '6 minutes' WHERE operator_id = $1",
      [other.id],
    );
    const { json } = await world.post('/v1/admin/auth/refresh', { refreshToken: other.refreshToken });
    const { accessToken } = api.refreshOperator.data.parse(json.data);
    const headers = { authorization: `Bearer ${accessToken}` };
    expect(outcome(await approve({ ...other, headers }, id))).toBe('403 SECOND_FACTOR_STALE');
  });

  test('by two at once, and with a key, executes once', async () => {
    const { id: merchantId } = await world.newMerchant();
    const third = await operatorAs(world, 'ADMIN', { days: 40 });
    const { id } = proposed(await settings(admin, merchantId, { pixFeeBps: 200 }));
    const key = newId();

    const answers = await Promise.all([approve(other, id, key), approve(third, id), approve(other, id, key)]);

    const outcomes = answers.map(outcome);
    expect(outcomes).toContain('200');
    expect(outcomes.every((each) => /^200$|^409 (INVALID_STATE|REQUEST_IN_PROGRESS)$/.test(each))).toBe(true);
    expect(await snapshotOf(world, merchantId)).toMatchObject({ version: 2 });
  });

  test('of a used e-mail is refused, and leaves the proposal open', async () => {
    const body = newOperator();
    const [first, second] = [proposed(await create(admin, body)), proposed(await create(admin, body))];
    await approve(other, first.id);

    expect(outcome(await approve(other, second.id))).toBe('409 OPERATOR_EXISTS');
    expect((await read(admin, `/${second.id}`)).json.data).toMatchObject({ status: 'PROPOSED' });
    expect(outcome(await create(admin, body))).toBe('409 OPERATOR_EXISTS');
  });
});

test('a single operator acts at once, and the audit log says so', async () => {
  const replica = await world.startReplica(undefined, { SINGLE_OPERATOR: 'true' });
  const { id } = await world.newMerchant();
  const patch = (body: object) =>
    fetch(`${replica.url}/v1/admin/merchants/${id}/settings`, {
      method: 'PATCH',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  expect((await patch({ pixFeeBps: 10 })).status).toBe(200);

  expect(await auditOf(world, id)).toMatchObject([{ operator_id: admin.id, after: { isAlone: true } }]);
});

test('an intruder with the gateway’s database role changes no proposal unnoticed', async () => {
  const insider = await openAt(world.env.DATABASE_URL ?? '', 1);
  const { id: merchantId } = await world.newMerchant();
  const { id } = proposed(await settings(admin, merchantId, { pixFeeBps: 120 }));
  const changes: string[] = [];

  for await (const flipped of flipColumns(insider, 'proposals', {
    ...{ id, without: ['id'] },
    values: { arguments: [`jsonb_set(arguments, '{changes,pixFeeBps}', '10000')`] },
  })) {
    changes.push(flipped);
    expect([flipped, outcome(await approve(other, id))]).toEqual([flipped, '409 INVALID_STATE']);
  }
  await insider.close();

  expect(changes.length).toBeGreaterThan(8);
  expect(await snapshotOf(world, merchantId)).toMatchObject({ pixFeeBps: 99, version: 1 });
  expect(outcome(await approve(other, id))).toBe('200');
});

// The last test, because it ends the sessions of the other operators.
test('an ADMIN who deactivates everybody else acts as one of two', async () => {
  const people = await world.database.query<{ id: string }>('SELECT id FROM operators WHERE is_active');
  const others = people.map(({ id }) => id).filter((id) => id !== admin.id);
  for (const id of others)
    expect(await change(admin, id, { isActive: false })).toMatchObject({ status: 200 });

  const proposal = proposed(await create(admin, newOperator()));

  expect(outcome(await approve(admin, proposal.id))).toBe('403 FORBIDDEN');
  const { id } = await world.newMerchant();
  expect(await settings(admin, id, { pixFeeBps: 10_000 })).toMatchObject({ status: 202 });
});
