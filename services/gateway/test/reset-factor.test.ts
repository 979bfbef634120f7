import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createSecretBox, openDatabase, recordSealingKey, sealingKeys } from '@plataforma/data';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { createLog } from '@plataforma/observe';
import { createRowSeals } from '@plataforma/tables';
import { eventually } from '@plataforma/testing';
import { openAt, testRowKeys, worldOfFile } from '@plataforma/testing/world';
import { resealFactors } from '../src/operations/reseal-factors.ts';
import { readFactorGauges } from '../src/store/operator-factors.ts';
import { enrol, newOperator, PASSWORD } from './support/factors.ts';
import { auditOf } from './support/operators.ts';
import { passkeysOf, startPasskeyWorld } from './support/passkeys.ts';

const world = worldOfFile(startPasskeyWorld);
const page = passkeysOf(world);
const program = fileURLToPath(new URL('../src/operator.ts', import.meta.url));

/** Runs the `operator` program, with only the settings that the program needs. */
function operator(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { DATABASE_URL, ROW_KEYS } = world.env;
  const env = { PATH: process.env.PATH, DATABASE_URL, ROW_KEYS };
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

test('reset-factor removes the passkeys, also those that an intruder puts back', async () => {
  const own = await page.newOwner();
  const options = await page.challenged(own);
  const read = 'SELECT to_jsonb(p) AS row FROM operator_passkeys p WHERE operator_id = $1';
  const [former] = await world.database.query<{ row: object }>(read, [own.id]);

  await operator('reset-factor', own.email);

  expect(await world.database.query(read, [own.id])).toEqual([]);
  expect((await auditOf(world, own.id)).at(-1)?.after).toMatchObject({ deletedPasskeys: 1 });
  const secret = await enrol(own.email, () => page.logIn(own));
  const otp = totpCode(secret, totpStepAt(new Date()));
  expect((await page.logIn(own, { otp })).status).toBe(200);
  const insider = openAt(world.env.DATABASE_URL ?? '');
  const insert =
    'INSERT INTO operator_passkeys SELECT (jsonb_populate_record(NULL::operator_passkeys, $1)).*';
  await insider.query(insert, [JSON.stringify(former?.row)]).finally(() => insider.close());
  const refused = await page.logIn(own, { passkey: own.authenticator.answer(options) });
  const next = await page.logIn(own);
  expect([refused.code, next.code]).toEqual(['INVALID_SECOND_FACTOR', 'SECOND_FACTOR_REQUIRED']);
  expect(next.json.error?.passkey).toBeUndefined();
});

test.each([
  [['reset-factor', 'nobody@plataforma.test'], 'no operator with a valid seal has this e-mail address'],
  [['reset-factor'], 'usage: operator.ts reset-factor <email>'],
  [['forget', 'nobody@plataforma.test'], 'usage: operator.ts reset-factor <email>'],
])('%p fails with a message', async (args, message) => {
  const failed = operator(...args);

  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});

test('a second factor is sealed again with a new first key, if its row has a valid seal', async () => {
  const [own, changed] = [
    await newOperator(world, { isEnrolled: true }),
    await newOperator(world, { isEnrolled: true }),
  ];
  const insider = openAt(world.env.DATABASE_URL ?? '');
  const change = 'UPDATE operator_factors SET last_step = 0 WHERE operator_id = $1';
  await insider.query(change, [changed.id]).finally(() => insider.close());
  const keys = sealingKeys.parse(`next:${randomBytes(32).toString('base64')},${world.env.SEALING_KEYS}`);
  await recordSealingKey(world.database, 'next');
  const log = createLog({ service: 'test', level: 'silent' });
  const seals = createRowSeals({ keys: sealingKeys.parse(testRowKeys), mode: 'require', log });
  const database = openDatabase({ url: world.env.DATABASE_URL ?? '', poolSize: 2, log, seals });

  await resealFactors({
    ...{ database, secretBox: createSecretBox(keys), log },
    sealingKeyIds: keys.map(({ id }) => id),
  }).finally(() => database.close());

  const factorOf = async ({ id }: { id: string }) =>
    (
      await world.database.query<{ keyId: string; sealed: Buffer }>(
        'SELECT key_id AS "keyId", sealed FROM operator_factors WHERE operator_id = $1',
        [id],
      )
    )[0];
  const factor = await factorOf(own);
  expect([factor?.keyId, (await factorOf(changed))?.keyId]).toEqual(['next', 'test']);
  const box = createSecretBox([keys[0]]);
  expect(factor && box.open(factor, own.id)).toBe(own.secret);
});
