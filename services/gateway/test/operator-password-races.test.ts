import { describe, expect, test } from '@jest/globals';
import { createSecretBox, sealingKeys } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { changeOperatorPassword } from '../src/operations/change-operator-password.ts';
import { logInOperator } from '../src/operations/log-in-operator.ts';
import { createTokens } from '../src/tokens.ts';
import { auditOf, operatorAs } from './support/operators.ts';
import { sharedWorld } from './support/world.ts';

type Operator = Awaited<ReturnType<typeof operatorAs>>;

const world = worldOfFile(sharedWorld);

const reads = async (authorization: string) => {
  const { status, code } = await world.call('/v1/admin/merchants', { headers: { authorization } });
  return `${status} ${code}`;
};
const hashOf = async ({ id }: Operator) =>
  (await world.database.query('SELECT password_hash FROM operators WHERE id = $1', [id]))[0]?.password_hash;

describe('concurrent password changes', () => {
  test(`take effect once, ${rounds(30)} times`, async () => {
    const own = await operatorAs(world, 'SUPPORT');
    for (let round = 0; round < rounds(30); round += 1) {
      const current = `hash of ${round}`;
      await world.database.query('UPDATE operators SET password_hash = $2 WHERE id = $1', [own.id, current]);

      const next = ['a', 'b', 'c', 'd'].map((name) => `${name} ${round}`);
      const outcomes = await Promise.allSettled(
        next.map((password) => changeDirectly(own, { currentPassword: current, newPassword: password })),
      );

      const done = next.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      expect(done).toEqual([await hashOf(own)]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      }
    }
    expect(await auditOf(world, own.id)).toHaveLength(rounds(30));
  });

  test('fail when the operator is deactivated meanwhile', async () => {
    const own = await operatorAs(world, 'SUPPORT');
    const before = await hashOf(own);
    const deactivating = {
      verify: async () => true,
      hash: async (password: string) => {
        await world.database.query('UPDATE operators SET is_active = false WHERE id = $1', [own.id]);
        return password;
      },
    };

    const changed = changeDirectly(own, { ...change, passwords: deactivating });

    await expect(changed).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect([await hashOf(own), await auditOf(world, own.id)]).toEqual([before, []]);
  });

  test('refuse a log-in with the old password', async () => {
    const own = await operatorAs(world, 'SUPPORT');
    const tokens = createTokens(world.gatewayKeys.privateKey);
    const passwords = {
      ...plain,
      verify: async () => Boolean(await changeDirectly(own, { ...change, passwords: always })),
    };
    const { database } = world;
    const secretBox = createSecretBox(sealingKeys.parse(world.env.SEALING_KEYS));
    const otp = totpCode(`${own.login.totpSecret}`, totpStepAt(new Date()) + 1);

    const late = logInOperator(
      {
        ...{ database, passwords: { recognized: passwords, strangers: passwords }, tokens, clock },
        ...{ secretBox, relyingParty: null },
      },
      { email: own.login.email, password: 'any', otp },
      { isRecognized: false, device: null, client },
    );

    await expect(late).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await eventually(async () => expect(await reads(own.headers.authorization)).toBe('401 INVALID_TOKEN'));
  });
});

/** Compares passwords without hashes, because these tests do not need hashes. */
const plain = {
  hash: async (password: string) => password,
  verify: async (hash: string | undefined, password: string) => hash === password,
};
const change = { currentPassword: 'any', newPassword: 'a second password' };
const always = { ...plain, verify: async () => true };

interface Change {
  currentPassword: string;
  newPassword: string;
  passwords?: typeof plain;
}

const clock = () => new Date();
const client = { address: '127.0.0.1', userAgent: null };

const INSERT_SESSION = `
  INSERT INTO sessions (id, operator_id, refresh_hash, created_at, expires_at, factor_at)
  VALUES ($1, $2, $3, now(), now() + interval '30 minutes', now())`;

/** Changes the password in a new session of the operator. */
async function changeDirectly({ id }: Operator, { passwords = plain, ...change }: Change) {
  const sid = newId();
  await world.database.query(INSERT_SESSION, [sid, id, sid]);
  const tokens = createTokens(world.gatewayKeys.privateKey);
  const queues = { recognized: passwords, strangers: passwords };
  const dependencies = {
    database: world.database,
    passwords: queues,
    ...{ tokens, clock, client },
    countTry: async () => undefined,
  };
  const session = { sub: id, sid, role: 'SUPPORT', passwordVersion: 0, factorAt: Date.now() } as const;
  return changeOperatorPassword(dependencies, session, change);
}
