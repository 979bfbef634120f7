import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import { enrol, type Factor, newOperator, PASSWORD } from './support/factors.ts';
import { auditOf } from './support/operators.ts';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const logIn = (email: string, more: object = {}, url = world.gateway.url) =>
  send(`${url}/v1/admin/auth/login`, { method: 'POST', body: { email, password: PASSWORD, ...more } });
const codes = (answers: { status: number; code: string }[]) =>
  answers.map(({ status, code }) => `${status} ${code}`).toSorted();
const code = ({ secret }: Pick<Factor, 'secret'>, drift = 0) =>
  totpCode(secret, totpStepAt(new Date()) + drift);
/** Returns a code that is wrong for all steps within 30 minutes of now. */
function wrongCode({ secret }: Pick<Factor, 'secret'>): string {
  const step = totpStepAt(new Date());
  const valid = new Set(Array.from({ length: 120 }, (_, index) => totpCode(secret, step - 60 + index)));
  for (let number = 0; ; number += 1) {
    const text = String(number).padStart(6, '0');
    if (!valid.has(text)) return text;
  }
}
const recoveryCodesIn = ({ json }: { json: { data?: unknown } }) =>
  api.logInOperator.data.parse(json.data).recoveryCodes;
/** Moves the last accepted step into the past, so that the next code is accepted. */
const letStepsPass = (id: string) =>
  world.database.query('UPDATE operator_factors SET last_step = last_step - 3 WHERE operator_id = $1', [id]);

const WAITING = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Locks the operator until all of these log-ins wait for the lock. */
function whileLocked<T>(id: string, logIns: () => Promise<T>[]): Promise<T[]> {
  const started = world.database.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM operators WHERE id = $1 FOR UPDATE', [id]);
    const answers = logIns();
    await eventually(async () => {
      expect(await world.database.query(WAITING)).toEqual([{ count: answers.length }]);
    });
    return answers;
  });
  return started.then((answers) => Promise.all(answers));
}

describe('a log-in without a second factor', () => {
  test('answers the same address of a new factor until a code confirms it', async () => {
    const { id, email } = await newOperator(world);

    const answers = await Promise.all(Array.from({ length: 4 }, () => logIn(email)));

    expect(new Set(codes(answers))).toEqual(new Set(['401 SECOND_FACTOR_ENROLMENT']));
    const addresses = new Set(answers.map(({ json }) => json.error?.otpauth));
    expect([...addresses]).toEqual([
      expect.stringMatching(
        `^otpauth://totp/Plataforma:${encodeURIComponent(email)}\\?secret=[A-Z2-7]{32}&issuer=Plataforma$`,
      ),
    ]);
    const [row] = await world.database.query('SELECT * FROM operator_factors WHERE operator_id = $1', [id]);
    const secret = new URL(`${[...addresses][0]}`).searchParams.get('secret');
    expect(String(row?.sealed)).not.toContain(`${secret}`);
    expect(row).toMatchObject({ confirmed_at: null, key_id: 'test' });
  });

  test('reveals nothing after a wrong password', async () => {
    const { email } = await newOperator(world);
    const wrong = await logIn(email, { password: 'guess', otp: '123456' });
    const unknown = await logIn(`${newId()}@plataforma.test`, { otp: '123456' });

    expect([wrong.status, wrong.code, unknown.text]).toEqual([401, 'INVALID_CREDENTIALS', wrong.text]);
    const rows = await world.database.query(
      'SELECT 1 FROM operator_factors JOIN operators ON id = operator_id WHERE email = $1',
      [email],
    );
    expect(rows).toEqual([]);
  });

  test(`returns recovery codes to one of two confirmations, ${rounds(10)} times`, async () => {
    for (let round = 0; round < rounds(10); round += 1) {
      const { id, email } = await newOperator(world);
      const secret = await enrol(email, logIn);

      const drifts = [-1, 0];
      const answers = await Promise.all(
        drifts.map((drift) => logIn(email, { otp: code({ secret }, drift) })),
      );

      const done = answers.filter(({ status }) => status === 200);
      expect(done.length).toBeGreaterThan(0);
      expect(done.filter((answer) => recoveryCodesIn(answer)?.length === 10)).toHaveLength(1);
      const audited = await world.database.query('SELECT action FROM audit_log WHERE subject_id = $1', [id]);
      expect(audited).toEqual([{ action: 'operator.enrol_factor' }]);
    }
  });
});

describe('a log-in with a second factor', () => {
  test('needs a code', async () => {
    const { email } = await newOperator(world, { isEnrolled: true });

    const { status, json } = await logIn(email);

    const message = 'the password is correct: send it again with otp, a code of your second factor';
    expect([status, json.error]).toEqual([401, { code: 'SECOND_FACTOR_REQUIRED', message }]);
  });

  test('refuses a replayed code, and a code of an earlier step', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await letStepsPass(own.id);
    const used = code(own);
    expect((await logIn(own.email, { otp: used })).status).toBe(200);

    const replayed = await logIn(own.email, { otp: used });
    const earlier = await logIn(own.email, { otp: code(own, -1) });

    expect(codes([replayed, earlier])).toEqual(Array(2).fill('401 INVALID_SECOND_FACTOR'));
  });

  test('accepts the code of the next step', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await letStepsPass(own.id);

    const answers = [
      await logIn(own.email, { otp: code(own) }),
      await logIn(own.email, { otp: code(own, 1) }),
    ];

    expect(codes(answers)).toEqual(['200 ', '200 ']);
  });

  test(`accepts one code once in parallel requests to two replicas, ${rounds(10)} times`, async () => {
    const replica = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
    const own = await newOperator(world, { isEnrolled: true });
    const urls = [world.gateway.url, replica.url];
    for (let round = 0; round < rounds(10); round += 1) {
      await letStepsPass(own.id);
      const otp = code(own);

      const answers = await whileLocked(own.id, () =>
        [...urls, ...urls].map((url) => logIn(own.email, { otp }, url)),
      );

      expect(codes(answers)).toEqual(['200 ', ...Array(3).fill('401 INVALID_SECOND_FACTOR')]);
    }
    await replica.stop();
  });

  test('refuses a used code after a restart', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await letStepsPass(own.id);
    const otp = code(own);
    const first = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
    const before = await logIn(own.email, { otp }, first.url);
    await first.stop();

    const next = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
    const after = await logIn(own.email, { otp }, next.url);
    await next.stop();

    expect(codes([before, after])).toEqual(['200 ', '401 INVALID_SECOND_FACTOR']);
  });
});

describe('five wrong codes', () => {
  test('lock the factor for 15 minutes, also for the right code', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await letStepsPass(own.id);
    const guess = () => logIn(own.email, { otp: wrongCode(own) });

    // The gateway compares four passwords of one account at a time.
    const fourGuesses = () => Promise.all(Array.from({ length: 4 }, guess));
    const guesses = [...(await fourGuesses()), ...(await fourGuesses())];
    const right = await logIn(own.email, { otp: code(own) });
    const recovery = await logIn(own.email, { otp: own.recoveryCodes[0] });

    expect(codes(guesses)).toEqual([
      ...Array(5).fill('401 INVALID_SECOND_FACTOR'),
      ...Array(3).fill('429 SECOND_FACTOR_LOCKED'),
    ]);
    expect(codes([right, recovery])).toEqual(Array(2).fill('429 SECOND_FACTOR_LOCKED'));
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(14 * 60);
    await world.database.query(
      "UPDATE operator_factors SET locked_until = now() - interval '1 second' WHERE operator_id = $1",
      [own.id],
    );
    expect((await logIn(own.email, { otp: code(own) })).status).toBe(200);
  });

  test('count those of confirmations, and none before the right password', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    await letStepsPass(own.id);
    const confirm = () => world.post('/v1/admin/auth/confirm', { otp: wrongCode(own) }, own.headers);
    for (let guess = 0; guess < 6; guess += 1)
      await logIn(own.email, { password: 'guess', otp: wrongCode(own) });

    const answers = [await logIn(own.email, { otp: wrongCode(own) })];
    for (let guess = 0; guess < 4; guess += 1) answers.push(await confirm());
    answers.push(await logIn(own.email, { otp: wrongCode(own) }));

    expect(answers.map(({ code }) => code)).toEqual([
      ...Array(5).fill('INVALID_SECOND_FACTOR'),
      'SECOND_FACTOR_LOCKED',
    ]);
    expect(Number(answers[5]?.headers['retry-after'])).toBeGreaterThan(14 * 60);
    // The session that has locked the factor ends.
    await eventually(async () =>
      expect((await world.call('/v1/admin/me', { headers: own.headers })).code).toBe('INVALID_TOKEN'),
    );
  });

  test('are forgotten after a right code', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    for (const drift of [0, 1]) {
      await letStepsPass(own.id);
      for (let guess = 0; guess < 4; guess += 1) await logIn(own.email, { otp: wrongCode(own) });
      expect((await logIn(own.email, { otp: code(own, drift) })).status).toBe(200);
    }
  });
});

describe('a recovery code', () => {
  test('works once, also in lower case, in parallel requests', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    const [first = '', second = ''] = own.recoveryCodes;

    const answers = await Promise.all(Array.from({ length: 3 }, () => logIn(own.email, { otp: first })));
    const other = await logIn(own.email, { otp: ` ${second.toLowerCase().replaceAll('-', ' ')} ` });
    const again = await logIn(own.email, { otp: first });

    expect(codes(answers)).toEqual(['200 ', ...Array(2).fill('401 INVALID_SECOND_FACTOR')]);
    expect(codes([other, again])).toEqual(['200 ', '401 INVALID_SECOND_FACTOR']);
    expect(recoveryCodesIn(other)).toBeUndefined();
    expect((await auditOf(world, own.id)).map(({ action }) => action)).toEqual(
      Array(2).fill('operator.use_recovery_code'),
    );
  });

  test('is stored as a hash only', async () => {
    const own = await newOperator(world, { isEnrolled: true });

    const rows = await world.database.query('SELECT * FROM operator_recovery_codes WHERE operator_id = $1', [
      own.id,
    ]);

    expect(rows).toHaveLength(10);
    for (const each of own.recoveryCodes) {
      expect(each).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
      expect(JSON.stringify(rows)).not.toContain(each.replaceAll('-', ''));
    }
  });

  test('does not work for another operator', async () => {
    const own = await newOperator(world, { isEnrolled: true });
    const other = await newOperator(world, { isEnrolled: true });

    const answer = await logIn(other.email, { otp: own.recoveryCodes[0] });

    expect(codes([answer])).toEqual(['401 INVALID_SECOND_FACTOR']);
  });
});
