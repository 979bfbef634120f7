import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import argon2 from 'argon2';
import { registration, sharedWorld } from './support/world.ts';

const COMPOSED = 'cora\u00e7\u00e3o de p\u00e3o';
const DECOMPOSED = COMPOSED.normalize('NFD');
const BOTH = [
  ['composed', COMPOSED],
  ['decomposed', DECOMPOSED],
] as const;

const world = worldOfFile(sharedWorld);

const statusesOf = async (email: string) => {
  const statuses = [];
  for (const password of [COMPOSED, DECOMPOSED, 'coracao de pao']) {
    statuses.push((await world.post('/v1/auth/login', { email, password })).status);
  }
  return statuses;
};

// Each log-in sends the composed or the decomposed form. For the last two passwords, a log-in succeeds only
// if the registration hashed the composed form.
test.each([
  ...BOTH,
  ['partly composed', 'cora\u00e7a\u0303o de p\u00e3o'],
  ['no-break-spaced', COMPOSED.replaceAll(' ', '\u00a0')],
])('a merchant with a %s password logs in with either form', async (_form, password) => {
  const newAccount = { ...registration(), password };

  await world.post('/v1/auth/register', newAccount);

  expect(await statusesOf(newAccount.email)).toEqual([200, 200, 401]);
});

test.each(BOTH)('an older hash of a %s password accepts either form', async (_form, password) => {
  const newAccount = registration();
  await world.post('/v1/auth/register', newAccount);
  await world.database.query('UPDATE users SET password_hash = $2 WHERE email = $1', [
    newAccount.email,
    await argon2.hash(password, { type: argon2.argon2id, memoryCost: 1024, timeCost: 2, parallelism: 1 }),
  ]);

  expect(await statusesOf(newAccount.email)).toEqual([200, 200, 401]);
});
