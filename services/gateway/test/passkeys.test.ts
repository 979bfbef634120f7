import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { eventually, rounds } from '@plataforma/testing';
import { repeatWhileUndone, worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import { readFactorGauges } from '../src/store/operator-factors.ts';
import { type Answering, newAuthenticator, ORIGIN } from './support/authenticator.ts';
import { auditOf, operatorAs } from './support/operators.ts';
import { type PasskeyOwner, passkeysOf, startPasskeyWorld } from './support/passkeys.ts';
import { send } from './support/send.ts';

const world = worldOfFile(startPasskeyWorld);
const page = passkeysOf(world);

const WRONG = '401 INVALID_SECOND_FACTOR';
const shown = ({ status, code }: { status: number; code: string }) => `${status} ${code}`;
const setFactor = ({ id }: { id: string }, columns: string) =>
  world.database.query(`UPDATE operator_factors SET ${columns} WHERE operator_id = $1`, [id]);
const COUNT = 'SELECT wrong_codes FROM operator_factors WHERE operator_id = $1';
const code = ({ secret }: PasskeyOwner) => totpCode(secret, totpStepAt(new Date()));

describe('a log-in of an operator with a passkey', () => {
  test('gets a challenge for it, and accepts its answer in place of a code', async () => {
    const own = await page.newOwner();

    const refused = await page.logIn(own);
    const options = refused.json.error?.passkey;
    const done = await page.logIn(own, { passkey: own.authenticator.answer(options) });

    expect(shown(refused)).toBe('401 SECOND_FACTOR_REQUIRED');
    expect(options).toMatchObject({
      ...{ rpId: new URL(ORIGIN).hostname, userVerification: 'required', timeout: 300_000 },
      allowCredentials: [{ type: 'public-key', id: own.authenticator.id, transports: ['internal'] }],
    });
    const { accessToken, recoveryCodes } = api.logInOperator.data.parse(done.json.data);
    expect([shown(done), recoveryCodes]).toEqual(['200 ', undefined]);
    const headers = { authorization: `Bearer ${accessToken}` };
    const { json } = await world.call('/v1/admin/me', { headers });
    const { factorAt } = api.readOwnOperator.data.parse(json.data);
    expect(Date.now() - Date.parse(`${factorAt}`)).toBeLessThan(60_000);
    expect(await page.list({ headers })).toMatchObject([{ name: 'chave', lastUsedAt: factorAt }]);
  });

  test('accepts a code as before', async () => {
    const own = await page.newOwner();
    await setFactor(own, 'last_step = last_step - 3');

    expect(shown(await page.logIn(own, { otp: code(own) }))).toBe('200 ');
  });

  test('refuses a code together with an answer', async () => {
    const own = await page.newOwner();
    const passkey = own.authenticator.answer(await page.challenged(own));

    const { status, json } = await page.logIn(own, { passkey, otp: code(own) });

    expect([status, json.error?.message]).toEqual([400, 'passkey: must be left out if the body has otp']);
  });

  test('needs the right password first, and an active operator', async () => {
    const own = await page.newOwner();
    const passkey = own.authenticator.answer(await page.challenged(own));

    const wrong = await page.logIn(own, { passkey, password: 'guess' });
    const { headers } = await operatorAs(world, 'ADMIN');
    const body = { isActive: false };
    await world.call(`/v1/admin/operators/${own.id}`, { method: 'PATCH', headers, body });
    const inactive = await page.logIn(own, { passkey });

    expect([wrong, inactive].map(shown)).toEqual(Array(2).fill('401 INVALID_CREDENTIALS'));
  });
});

const FALSE: [string, Answering][] = [
  ['for another origin', { origin: 'https://operadores.plataforma.example' }],
  ['for a subdomain that is no origin', { origin: 'https://a.operadores.plataforma.test' }],
  ['for an origin without https', { origin: ORIGIN.replace('https', 'http') }],
  ['for another relying party', { rpId: 'plataforma.test' }],
  ['of another type', { type: 'webauthn.create' }],
  ['in a foreign frame', { crossOrigin: true }],
  ['without verification of the person', { flags: 0x01 }],
  ['without presence of the person', { flags: 0x04 }],
  ['with the handle of another operator', { userHandle: 'b3V0cm8' }],
  ['to a challenge of its own', { challenge: 'AAAA' }],
  ['without a challenge', { challenge: 7 }],
];

describe('an answer', () => {
  test.each(FALSE)('%s is refused', async (_, answering) => {
    const own = await page.newOwner();
    const options = await page.challenged(own);

    const refused = await page.logIn(own, { passkey: own.authenticator.answer(options, answering) });

    expect([shown(refused), refused.json.error?.message]).toEqual([
      WRONG,
      'passkey: is wrong, expired or used already; get a new challenge',
    ]);
    const [factor] = await world.database.query(COUNT, [own.id]);
    expect(factor).toEqual({ wrong_codes: 1 });
    expect(shown(await page.logInBy(own))).toBe('200 ');
  });

  test('signed by another key is refused, and uses up the challenge', async () => {
    const own = await page.newOwner();
    const options = await page.challenged(own);
    const forged = {
      ...newAuthenticator().answer(options),
      id: own.authenticator.id,
      rawId: own.authenticator.id,
    };

    const answers = [
      await page.logIn(own, { passkey: forged }),
      await page.logIn(own, { passkey: own.authenticator.answer(options) }),
    ];

    expect(answers.map(shown)).toEqual([WRONG, WRONG]);
  });

  test.each(['clientDataJSON', 'authenticatorData', 'signature'])(
    'with a broken %s is refused',
    async (field) => {
      const own = await page.newOwner();
      const answer = own.authenticator.answer(await page.challenged(own));

      const passkey = { ...answer, response: { ...answer.response, [field]: 'AAAA' } };

      expect(shown(await page.logIn(own, { passkey }))).toBe(WRONG);
    },
  );

  test('that is replayed or late is refused', async () => {
    const own = await page.newOwner();
    const passkey = own.authenticator.answer(await page.challenged(own));
    const first = await page.logIn(own, { passkey });
    const replayed = await page.logIn(own, { passkey });
    const late = own.authenticator.answer(await page.challenged(own));
    await world.database.query('UPDATE operator_challenges SET expires_at = now() WHERE operator_id = $1', [
      own.id,
    ]);

    const answers = [first, replayed, await page.logIn(own, { passkey: late })];

    expect(answers.map(shown)).toEqual(['200 ', WRONG, WRONG]);
  });

  test('of another operator’s passkey, or to another operator’s challenge, is refused', async () => {
    const [own, other] = [await page.newOwner(), await page.newOwner()];
    const [ownChallenge, othersChallenge] = [await page.challenged(own), await page.challenged(other)];

    const answers = [
      await page.logIn(own, { passkey: other.authenticator.answer(ownChallenge) }),
      await page.logIn(own, { passkey: own.authenticator.answer(othersChallenge) }),
    ];

    expect(answers.map(shown)).toEqual([WRONG, WRONG]);
  });

  test('to a challenge for another use is refused', async () => {
    const own = await page.newOwner();
    const ofSession = await page.confirming(own);
    const ofNew = await page.begun(own);
    const ofLogIn = await page.challenged(own);
    const answer = (options: Record<string, unknown> | undefined) => ({
      passkey: own.authenticator.answer(options),
    });

    const answers = [
      await page.logIn(own, answer(ofSession)),
      await page.logIn(own, answer(ofNew)),
      await page.confirm(answer(ofNew), own),
      await page.confirm(answer(ofLogIn), own),
    ];

    expect(answers.map(shown)).toEqual(Array(4).fill(WRONG));
  });

  test('of a deleted passkey is refused, and a code is needed again', async () => {
    const own = await page.newOwner();
    const passkey = own.authenticator.answer(await page.challenged(own));
    await page.remove(own.passkeyId, own);

    const refused = await page.logIn(own, { passkey });
    const next = await page.logIn(own);

    expect([refused, next].map(shown)).toEqual([WRONG, '401 SECOND_FACTOR_REQUIRED']);
    expect(next.json.error?.passkey).toBeUndefined();
  });

  test(`is accepted once in parallel requests to two replicas, ${rounds(10)} times`, async () => {
    const replica = await startGateway({ ...world.env, MIGRATE_ON_START: 'false' });
    const own = await page.newOwner();
    const urls = [world.gateway.url, replica.url, world.gateway.url, replica.url];
    for (let round = 0; round < rounds(10); round += 1) {
      const passkey = own.authenticator.answer(await page.challenged(own));
      const body = { email: own.email, password: 'senha segura', passkey };

      // Under load the gateway answers 503 before it compares the password.
      const logIn = (url: string) =>
        repeatWhileUndone(
          () => send(`${url}/v1/admin/auth/login`, { method: 'POST', body }),
          ({ status }) => status === 503,
        );
      const answers = await Promise.all(urls.map(logIn));

      expect(answers.map(shown).toSorted()).toEqual(['200 ', WRONG, WRONG, WRONG]);
    }
    await replica.stop();
  });
});

describe('the signature counter', () => {
  test('must grow, and is audited and alarmed when it goes back', async () => {
    const own = await page.newOwner({ counter: 4 });
    const counters = [5, 5, 3, 0, 6];

    const answers = [];
    for (const counter of counters) answers.push(await page.logInBy(own, { counter }));

    expect(answers.map(shown)).toEqual(['200 ', WRONG, WRONG, WRONG, '200 ']);
    const refusals = (await auditOf(world, own.id)).filter(
      ({ action }) => action === 'operator.refuse_passkey',
    );
    expect(refusals.map(({ before, after }) => [before.counter, after.counter, before.passkeyId])).toEqual(
      [5, 3, 0].map((counter) => [5, counter, own.passkeyId]),
    );
    const [, added, refused] = await readFactorGauges(world.database);
    expect([added?.labels, refused?.labels]).toEqual([{ event: 'added' }, { event: 'refused' }]);
    expect([Number(added?.value) > 0, refused?.value]).toEqual([true, refusals.length]);
  });

  test('may stay 0, as synced passkeys report it', async () => {
    const own = await page.newOwner();

    expect([await page.logInBy(own), await page.logInBy(own)].map(shown)).toEqual(['200 ', '200 ']);
  });
});

describe('wrong answers and wrong codes', () => {
  test('lock the second factor together', async () => {
    const own = await page.newOwner();
    const wrong = { flags: 0x01 };
    const right = own.authenticator.answer(await page.challenged(own));

    const answers = [];
    for (let guess = 0; guess < 2; guess += 1) {
      answers.push(await page.logInBy(own, wrong), await page.logIn(own, { otp: 'AAAA' }));
    }
    answers.push(await page.logInBy(own, wrong));
    const locked = [
      await page.logIn(own, { passkey: right }),
      await page.logIn(own),
      await page.confirm({ passkey: right }, own),
    ];

    expect(answers.map(shown)).toEqual(Array(5).fill(WRONG));
    expect(locked.map(shown)).toEqual(Array(3).fill('429 SECOND_FACTOR_LOCKED'));
    expect(Number(locked[0]?.headers['retry-after'])).toBeGreaterThan(14 * 60);
    await setFactor(own, "locked_until = now() - interval '1 second'");
    expect(shown(await page.logIn(own, { passkey: right }))).toBe('200 ');
  });

  test('of a session end it when they lock', async () => {
    const own = await page.newOwner();
    for (let guess = 0; guess < 5; guess += 1) {
      const passkey = own.authenticator.answer(await page.confirming(own), { type: 'webauthn.create' });
      expect(shown(await page.confirm({ passkey }, own))).toBe(WRONG);
    }

    await eventually(async () =>
      expect((await world.call('/v1/admin/me', { headers: own.headers })).code).toBe('INVALID_TOKEN'),
    );
  });
});
