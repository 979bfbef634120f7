import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import argon2 from 'argon2';
import { z } from 'zod';
import { operatorAs } from './support/operators.ts';
import { registration, sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const logIn = (email: string, password: string) => world.post('/v1/auth/login', { email, password });
const account = (accessToken: string) =>
  world.call('/v1/account', { headers: { authorization: `Bearer ${accessToken}` } });

describe('a registration', () => {
  test('opens a PENDING account and logs its first user in', async () => {
    const newAccount = registration();

    const { status, json } = await world.post('/v1/auth/register', newAccount);

    expect(status).toBe(201);
    expect(json).toEqual({
      success: true,
      data: {
        accessToken: expect.stringMatching(/^eyJ/),
        refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const { accessToken } = api.register.data.parse(json.data);
    expect((await account(accessToken)).json.data).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: newAccount.email,
      companyName: 'Loja do Zé',
      cnpj: newAccount.cnpj,
      phone: '11987654321',
      status: 'PENDING',
      cardEnabled: false,
      checkoutColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  test('announces the merchant to the other services', async () => {
    const newAccount = registration();
    const { json } = await world.post('/v1/auth/register', newAccount);
    const { accessToken } = api.register.data.parse(json.data);
    const { id } = api.getAccount.data.parse((await account(accessToken)).json.data);

    const events = await world.database.query<{ body: string }>(
      "SELECT body FROM outbox WHERE type = 'merchant.updated' AND body::jsonb->>'aggregateId' = $1",
      [id],
    );

    expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
      { merchantId: id, environment: null, sequence: 1, data: { id, version: 1, status: 'PENDING' } },
    ]);
  });

  test('removes direction controls from a company name', async () => {
    const { json } = await world.register({ companyName: 'Loja \u202eod Zé' });

    const { accessToken } = api.register.data.parse(json.data);
    expect((await account(accessToken)).json.data).toMatchObject({ companyName: 'Loja od Zé' });
  });

  test('strips the punctuation of a CNPJ and a phone', async () => {
    const { cnpj } = registration();
    const written = cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');

    const { json } = await world.register({ cnpj: written, phone: '+55 (11) 98765-4321' });

    const { accessToken } = api.register.data.parse(json.data);
    expect((await account(accessToken)).json.data).toMatchObject({ cnpj, phone: '11987654321' });
  });

  test('accepts a password of 8 characters exactly as entered', async () => {
    const { email } = registration();

    const registered = await world.register({ email, password: ' é 中 77 ' });

    expect(registered.status).toBe(201);
    expect((await logIn(email, ' é 中 77 ')).status).toBe(200);
    expect((await logIn(email, 'é 中 77')).code).toBe('INVALID_CREDENTIALS');
  });

  test('warns about an obvious password and a wrong CNPJ', async () => {
    const { email } = registration();
    const warningOf = async (changes: Record<string, unknown>) =>
      (await world.register(changes)).headers['x-sandbox-warning'];

    expect(await warningOf({})).toBeUndefined();
    expect(await warningOf({ email, password: 'Password1' })).toMatch(/^password: .*most common/);
    expect(await warningOf({ password: 'lojadoze2026' })).toMatch(/^password: .*words of the account/);
    expect(await warningOf({ cnpj: '34665388000162' })).toMatch(/^cnpj: the check digits .* are wrong/);
    expect((await logIn(email, 'Password1')).status).toBe(200);
  });

  test('records the accepted terms with their time', async () => {
    const url = 'https://pagamentos.example/termos';
    const accepted = registration();
    const silent = registration();
    await world.register({ ...accepted, acceptedTerms: url });
    await world.register(silent);
    const wrong = await world.register({ acceptedTerms: 'javascript:alert(1)' });

    const { headers } = await operatorAs(world, 'SUPPORT');
    const termsOf = async ({ email }: { email: string }) => {
      const { json } = await world.call(`/v1/admin/merchants?search=${email}`, { headers });
      return z.array(api.listMerchants.data).parse(json.data)[0]?.acceptedTerms;
    };
    expect(await termsOf(accepted)).toEqual({ url, acceptedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(await termsOf(silent)).toBeNull();
    expect([wrong.status, wrong.code]).toEqual([400, 'VALIDATION_ERROR']);
    await expect(world.database.query('DELETE FROM accepted_terms')).rejects.toThrow();
  });

  test('refuses a registered e-mail in any letter case', async () => {
    const { email } = registration();
    await world.register({ email });

    const { status, json } = await world.register({ email: email.toUpperCase() });

    expect(status).toBe(409);
    expect(json.error).toEqual({
      code: 'ACCOUNT_EXISTS',
      message: 'email: an account with it exists already',
    });
  });

  test('refuses a CNPJ once an account with it is approved', async () => {
    const { cnpj } = registration();
    const admin = await operatorAs(world, 'ADMIN');
    const take = (id: string, step: string) =>
      world.call(`/v1/admin/merchants/${id}/${step}`, {
        ...{ method: 'POST', body: { reason: 'its papers' }, headers: admin.headers },
      });
    const registered = async () => {
      const { accessToken } = api.register.data.parse((await world.register({ cnpj })).json.data);
      return api.getAccount.data.parse((await account(accessToken)).json.data).id;
    };
    const [squatter, company, late] = [await registered(), await registered(), await registered()];

    expect((await take(squatter, 'reject')).status).toBe(200);
    expect((await take(company, 'approve')).status).toBe(200);
    const refusals = [await take(late, 'approve'), await world.register({ cnpj })];
    expect((await take(company, 'suspend')).status).toBe(200);
    refusals.push(await world.register({ cnpj }));

    for (const { status, json } of refusals) {
      expect([status, json.error?.code]).toEqual([409, 'ACCOUNT_EXISTS']);
      expect(json.error?.message).toMatch(/^cnpj: /);
    }

    // If the e-mail address is registered already, the error must not reveal that the CNPJ belongs to an
    // approved account.
    const email = registration().email;
    await world.register({ email });
    const { json } = await world.register({ email, cnpj });
    expect(json.error?.message).toMatch(/^email: /);
    // A refused registration does not reserve its e-mail address.
    const free = registration().email;
    await world.register({ email: free, cnpj });
    expect((await world.register({ email: free })).status).toBe(201);
  });

  test('opens one account when concurrent requests share an e-mail', async () => {
    const { email } = registration();
    const companyName = newId();

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.register({ email, companyName })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    const opened = await world.database.query('SELECT 1 FROM organizations WHERE company_name = $1', [
      companyName,
    ]);
    expect(opened).toHaveLength(1);
  });

  test('stores no readable password, refresh token or access token', async () => {
    const newAccount = { ...registration(), password: `canary-${newId()}` };
    const { json } = await world.post('/v1/auth/register', newAccount);
    const { accessToken, refreshToken } = api.register.data.parse(json.data);

    const stored = JSON.stringify([
      await world.database.query('SELECT * FROM users'),
      await world.database.query('SELECT * FROM sessions'),
      await world.database.query('SELECT * FROM organizations'),
      await world.database.query('SELECT * FROM outbox'),
    ]);

    expect(stored).toContain(newAccount.email);
    for (const secret of [newAccount.password, refreshToken, accessToken])
      expect(stored).not.toContain(secret);
  });
});

describe('a log-in', () => {
  test('returns both tokens for the e-mail in any letter case', async () => {
    const { id, email, password } = await world.newMerchant();

    const { status, json } = await logIn(` ${email.toUpperCase()} `, password);

    expect(status).toBe(200);
    const { accessToken } = api.logIn.data.parse(json.data);
    expect((await account(accessToken)).json.data).toMatchObject({ id });
  });

  test('fails alike for registered and unregistered e-mails', async () => {
    const { email } = await world.newMerchant();

    const wrong = await logIn(email, 'not the password');
    const unknown = await logIn('nobody@loja.example', 'not the password');

    expect([wrong.status, wrong.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  test('takes equally long for an unregistered e-mail', async () => {
    const { email } = await world.newMerchant();
    const spent = { known: 0, unknown: 0 };
    const timed = async (who: string) => {
      const startedAt = performance.now();
      await logIn(who, 'not the password');
      return performance.now() - startedAt;
    };

    for (let tries = 0; tries < 6; tries += 1) {
      spent.known += await timed(email);
      spent.unknown += await timed('nobody@loja.example');
    }

    // Without the comparison with a decoy hash, an unknown address would take at most a tenth of the time.
    expect(spent.unknown).toBeGreaterThan(spent.known / 5);
  });

  test('names the missing field', async () => {
    const { status, json } = await world.post('/v1/auth/login', { email: 'dono@loja.example' });

    expect([status, json.error]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'password: is required' },
    ]);
  });
});

const COMPOSED = 'cora\u00e7\u00e3o de p\u00e3o';
const DECOMPOSED = COMPOSED.normalize('NFD');
const BOTH = [
  ['composed', COMPOSED],
  ['decomposed', DECOMPOSED],
] as const;

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
