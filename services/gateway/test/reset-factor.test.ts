import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createSecretBox, recordSealingKey, sealingKeys } from '@plataforma/data';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { createLog } from '@plataforma/observe';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { resealFactors } from '../src/operations/reseal-factors.ts';
import { readFactorGauges } from '../src/store/operator-factors.ts';
import { newOperator, PASSWORD } from './support/factors.ts';
import { auditOf } from './support/operators.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
const program = fileURLToPath(new URL('../src/operator.ts', import.meta.url));

/** Runs the program beside the database, without the gateway's other settings. */
function operator(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: world.env.DATABASE_URL };
  return promisify(execFile)(process.execPath, [program, ...args], { env });
}

test('reset-factor removes the factor and the sessions, and raises an alarm', async () => {
  const own = await newOperator(world, { isEnrolled: true });
  const resets = async () => (await readFactorGauges(world.database))[0]?.value;
  expect(await resets()).toBe(0);

  const { stdout } = await operator('reset-factor', own.email.toUpperCase());

  expect(stdout).toContain('the next log-in enrols');
  await eventually(async () => {
    const { code } = await world.call('/v1/admin/me', { headers: own.headers });
    expect(code).toBe('INVALID_TOKEN');
  });
  const body = { email: own.email, password: PASSWORD };
  const enrolment = await world.post('/v1/admin/auth/login', body);
  const recovery = await world.post('/v1/admin/auth/login', { ...body, otp: own.recoveryCodes[0] });
  const former = await world.post('/v1/admin/auth/login', {
    ...{ ...body, otp: totpCode(own.secret, totpStepAt(new Date())) },
  });
  expect([enrolment.code, recovery.code, former.code]).toEqual([
    ...['SECOND_FACTOR_ENROLMENT', 'INVALID_SECOND_FACTOR', 'INVALID_SECOND_FACTOR'],
  ]);
  expect(enrolment.json.error?.otpauth).not.toContain(own.secret);
  expect(await auditOf(world, own.id)).toMatchObject([
    {
      ...{ action: 'operator.reset_factor', operator_id: '00000000-0000-0000-0000-000000000000' },
      ...{ before: { hadFactor: true }, after: { hadFactor: false, endedSessions: 1 } },
    },
  ]);
  expect(await resets()).toBe(1);
});

test.each([
  [['reset-factor', 'nobody@plataforma.test'], 'no operator has this e-mail address'],
  [['reset-factor'], 'usage: operator.ts reset-factor <email>'],
  [['forget', 'nobody@plataforma.test'], 'usage: operator.ts reset-factor <email>'],
])('%p fails with a message', async (args, message) => {
  const failed = operator(...args);

  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});

test('a second factor is sealed again with a new first key', async () => {
  const own = await newOperator(world, { isEnrolled: true });
  const keys = sealingKeys.parse(`next:${randomBytes(32).toString('base64')},${world.env.SEALING_KEYS}`);
  await recordSealingKey(world.database, 'next');

  await resealFactors({
    ...{
      database: world.database,
      secretBox: createSecretBox(keys),
      log: createLog({ service: 'test', level: 'silent' }),
    },
    sealingKeyIds: keys.map(({ id }) => id),
  });

  const [factor] = await world.database.query<{ keyId: string; sealed: Buffer }>(
    'SELECT key_id AS "keyId", sealed FROM operator_factors WHERE operator_id = $1',
    [own.id],
  );
  expect(factor?.keyId).toBe('next');
  const box = createSecretBox([keys[0]]);
  expect(factor && box.open(factor, own.id)).toBe(own.secret);
});
