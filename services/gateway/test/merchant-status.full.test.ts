import { describe, expect, test } from '@jest/globals';
import { rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { auditOf, eventsOf, operatorAs, snapshotOf } from './support/operators.ts';
import { forceStatus, startWorld } from './support/world.ts';

const statuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const;
const steps = ['approve', 'reject', 'suspend', 'reactivate'] as const;
const possible = new Map<string, string>([
  ['PENDING approve', 'APPROVED'],
  ['PENDING reject', 'REJECTED'],
  ['APPROVED suspend', 'SUSPENDED'],
  ['SUSPENDED reactivate', 'APPROVED'],
  ['REJECTED reactivate', 'PENDING'],
]);

const world = worldOfFile(startWorld);
const admin = beforeFile(() => operatorAs(world, 'ADMIN'));

type Step = (typeof steps)[number];
const take = (id: string, step: Step, body: unknown = { reason: 'as it is' }) =>
  world.post(`/v1/admin/merchants/${id}/${step}`, body, admin.headers);
const read = (id: string) => world.call(`/v1/admin/merchants/${id}`, { headers: admin.headers });

async function merchantThatIs(status: string): Promise<string> {
  const { id } = await world.newMerchant();
  if (status !== 'PENDING') await forceStatus(world, id, status);
  return id;
}

describe('a change of a merchant’s status', () => {
  const pairs = statuses.flatMap((status) => steps.map((step) => [status, step] as const));

  test.each(pairs)('from %s by %s is audited and announced only if allowed', async (status, step) => {
    const id = await merchantThatIs(status);
    const next = possible.get(`${status} ${step}`);

    const answer = await take(id, step);

    const reason = step === 'approve' ? null : 'as it is';
    const row = { action: `merchant.${step}`, before: { status }, after: { status: next }, reason };
    if (next) expect([answer.status, answer.json.data]).toMatchObject([200, { id, status: next }]);
    else expect([answer.status, answer.code]).toEqual([409, 'INVALID_STATE']);
    expect(await auditOf(world, id)).toMatchObject(next ? [{ ...row, operator_id: admin.id }] : []);
    expect(await snapshotOf(world, id)).toMatchObject({ status: next ?? status, version: next ? 2 : 1 });
    expect((await eventsOf(world, id)).map(({ data }) => data.version)).toEqual(next ? [1, 2] : [1]);
  });

  test('is restricted to the same steps by the database', async () => {
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        const id = await merchantThatIs(from);
        const isPossible = steps.some((step) => possible.get(`${from} ${step}`) === to);

        const moved = world.database.query('UPDATE organizations SET status = $2 WHERE id = $1', [id, to]);

        if (isPossible) await moved;
        else await expect(moved).rejects.toMatchObject({ code: '23514' });
      }
    }
  });

  test.each<[Step, unknown, string]>([
    ['reject', {}, 'reason: is required'],
    ['suspend', { reason: '  ' }, 'reason: is required'],
    ['suspend', { reason: 'x'.repeat(256) }, 'reason: must have at most 255 characters'],
    ['reactivate', { reason: 1 }, 'reason: must be a text'],
  ])('by %s is refused with the body %j', async (step, body, message) => {
    const { id } = await world.newMerchant();

    const { status, json } = await take(id, step, body);

    expect([status, json.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
    expect(await auditOf(world, id)).toEqual([]);
  });

  test('by reactivation needs no reason', async () => {
    const id = await merchantThatIs('SUSPENDED');

    expect((await take(id, 'reactivate', {})).json.data).toMatchObject({ status: 'APPROVED' });
    expect(await auditOf(world, id)).toMatchObject([{ action: 'merchant.reactivate', reason: null }]);
  });
});

describe('concurrent operators', () => {
  const won = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;

  test('approve, reject and suspend a merchant in a valid order', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { id } = await world.newMerchant();

      const answers = await Promise.all([take(id, 'approve'), take(id, 'reject'), take(id, 'suspend')]);

      const rows = await auditOf(world, id);
      const history = rows.map(({ before, after }) => `${before.status} ${after.status}`).toSorted();
      const [approved, rejected, suspended] = answers.map(({ status }) => status === 200);
      expect(approved).toBe(!rejected);
      expect(rejected && suspended).toBe(false);
      expect(history).toHaveLength(won(answers));
      expect(history).toEqual(
        rejected
          ? ['PENDING REJECTED']
          : ['PENDING APPROVED', ...(suspended ? ['APPROVED SUSPENDED'] : [])].toSorted(),
      );
      expect((await eventsOf(world, id)).map(({ data }) => data.version)).toEqual(
        Array.from({ length: 1 + rows.length }, (_, index) => index + 1),
      );
    }
  });

  test('suspend a merchant once', async () => {
    const id = await merchantThatIs('APPROVED');

    const answers = await Promise.all(Array.from({ length: 20 }, () => take(id, 'suspend')));

    expect(won(answers)).toBe(1);
    expect(await auditOf(world, id)).toHaveLength(1);
  });
});

describe('one merchant', () => {
  test('is read with its e-mail and settings', async () => {
    const merchant = await world.newMerchant();

    const { status, json } = await read(merchant.id);

    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      id: merchant.id,
      email: merchant.email,
      status: 'PENDING',
      hasValidCnpj: expect.any(Boolean),
      settings: { pixFeeBps: 99 },
    });
  });

  test.each(['SUSPENDED', 'REJECTED'])(
    'that is %s still logs in, reads and changes its phone',
    async (status) => {
      const merchant = await world.newMerchant();
      await forceStatus(world, merchant.id, status);
      const body = { email: merchant.email, password: merchant.password };

      const loggedIn = await world.post('/v1/auth/login', body);
      const answers = [
        await world.call('/v1/account', { headers: merchant.bearer }),
        await world.call('/v1/api-keys', { headers: merchant.bearer }),
        await world.call('/v1/balance', { headers: merchant.bearer }),
        await world.call('/v1/account', {
          method: 'PATCH',
          body: { phone: '11912345678' },
          headers: merchant.bearer,
        }),
      ];

      expect([loggedIn, ...answers].map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
      expect(answers[0]?.json.data).toMatchObject({ status });
    },
  );
});
