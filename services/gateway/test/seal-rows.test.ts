import { expect, test } from '@jest/globals';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually } from '@plataforma/testing';
import { runSealRows, worldOfFile } from '@plataforma/testing/world';
import { PASSWORD } from './support/factors.ts';
import { insiderOf } from './support/insider.ts';
import { passkeysOf, startPasskeyWorld } from './support/passkeys.ts';

const world = worldOfFile(startPasskeyWorld);
const page = passkeysOf(world);
const insider = insiderOf(world);
const TABLES = [
  ...['organizations', 'users', 'sessions', 'api_keys', 'operators', 'operator_factors'],
  ...['operator_passkeys', 'operator_challenges'],
];

test('the rows of an earlier release are refused until the command has sealed them', async () => {
  const merchant = await world.approvedMerchant();
  const { key } = await world.newKey(merchant);
  const own = await page.newOwner();
  const { email, secret, recoveryCodes } = own;
  const passkey = own.authenticator.answer(await page.challenged(own));
  for (const table of [...TABLES, 'operator_recovery_codes'])
    await insider.query(`UPDATE ${table} SET seal = NULL`);
  const otp = totpCode(secret, totpStepAt(new Date()) + 1);
  const answers = async () => [
    await world.call('/v1/charges', { headers: { 'x-api-key': key } }),
    await world.call('/v1/account', { headers: merchant.bearer }),
    await world.post('/v1/auth/login', { email: merchant.email, password: merchant.password }),
    await world.post('/v1/admin/auth/login', { email, password: PASSWORD, otp }),
  ];
  expect((await answers()).map(({ status }) => status)).toEqual([401, 401, 401, 401]);

  expect(await runSealRows('gateway', world.env)).toMatchObject({
    ...{ organizations: 1, users: 1, sessions: 2, api_keys: 1, operators: 2, operator_factors: 1 },
    ...{ operator_recovery_codes: recoveryCodes.length, operator_passkeys: 1, operator_challenges: 1 },
  });

  // The gateway caches the refusal of the key for some seconds.
  await eventually(async () => {
    const { status } = await world.call('/v1/charges', { headers: { 'x-api-key': key } });
    expect(status).toBe(200);
  });
  expect((await answers()).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await page.logIn(own, { passkey })).toMatchObject({ status: 200 });
  expect(await runSealRows('gateway', world.env)).toMatchObject(
    Object.fromEntries(TABLES.map((table) => [table, 0])),
  );
});
