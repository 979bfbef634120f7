import { execFile } from 'node:child_process';
import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { type Answering, newAuthenticator, ORIGIN } from './support/authenticator.ts';
import { newOperator, PASSWORD } from './support/factors.ts';
import { auditOf } from './support/operators.ts';
import { passkeysOf, startPasskeyWorld } from './support/passkeys.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startPasskeyWorld);
const page = passkeysOf(world);

const run = promisify(execFile);
const WRONG = '401 INVALID_SECOND_FACTOR';
const INVALID = '422 INVALID_PASSKEY';
const shown = ({ status, code }: { status: number; code: string }) => `${status} ${code}`;
const enrolled = () => newOperator(world, { isEnrolled: true });

const packed = (signed: Buffer, key: string | KeyObject, more: [string, unknown][] = []) => ({
  fmt: 'packed',
  attStmt: new Map([['alg', -7], ['sig', new Uint8Array(sign('sha256', signed, key))], ...more]),
});

/** Returns a self-signed attestation certificate in the form that WebAuthn requires, with its private key. */
async function newCertificate(): Promise<string> {
  const subject = '/C=BR/O=Loja/OU=Authenticator Attestation/CN=chave';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '-'];
  const more = ['-days', '2', '-subj', subject, '-addext', 'basicConstraints=CA:FALSE'];
  const env = { ...process.env, OPENSSL_CONF: '/dev/null' };
  return (await run('openssl', ['req', '-x509', ...key, ...more], { env })).stdout;
}

const certificate = beforeFile(async () => ({ pem: await newCertificate() }));
const attestByCertificate = (signed: Buffer) =>
  packed(signed, certificate.pem, [['x5c', [new Uint8Array(new X509Certificate(certificate.pem).raw)]]]);

describe('an operator with a fresh second factor', () => {
  test('adds, lists and deletes passkeys, which is audited', async () => {
    const own = await enrolled();
    const authenticator = newAuthenticator();
    const options = await page.begun(own);

    const added = await page.add(
      authenticator.register(options, { counter: 7 }),
      own,
      ' Chave do escritório ',
    );
    const listed = await page.list(own);
    const again = await page.begun(own);
    const { id } = Object(added.json.data);
    const deleted = await page.remove(id, own);

    expect(options).toMatchObject({
      ...{ rp: { id: new URL(ORIGIN).hostname, name: 'Plataforma' }, attestation: 'none', timeout: 300_000 },
      user: { id: Buffer.from(own.id).toString('base64url'), name: own.email },
      authenticatorSelection: { userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(shown(added)).toBe('201 ');
    expect(listed).toEqual([
      { id, name: 'Chave do escritório', createdAt: expect.any(String), lastUsedAt: null },
    ]);
    expect(again).toMatchObject({ excludeCredentials: [{ id: authenticator.id }] });
    expect([shown(deleted), await page.list(own)]).toEqual(['200 ', []]);
    const facts = { passkeyId: id, name: 'Chave do escritório' };
    expect(await auditOf(world, own.id)).toMatchObject([
      { operator_id: own.id, action: 'operator.add_passkey', before: {}, after: facts },
      { operator_id: own.id, action: 'operator.delete_passkey', before: facts, after: {} },
    ]);
  });

  test('neither lists nor deletes the passkeys of another operator', async () => {
    const [own, other] = [await page.newOwner(), await enrolled()];

    expect(shown(await page.remove(own.passkeyId, other))).toBe('404 NOT_FOUND');
    expect([await page.list(other), (await page.list(own)).length]).toEqual([[], 1]);
  });

  test('can delete the only passkey, because the authenticator app stays', async () => {
    const own = await page.newOwner();

    const answers = [await page.remove(own.passkeyId, own), await page.remove(own.passkeyId, own)];

    expect(answers.map(shown)).toEqual(['200 ', '404 NOT_FOUND']);
    expect(shown(await page.logIn(own))).toBe('401 SECOND_FACTOR_REQUIRED');
  });

  test(`has at most ten passkeys, also after parallel requests, ${rounds(5)} times`, async () => {
    const own = await page.newOwner();
    const { json } = await page.logInBy(own);
    const second = { headers: { authorization: `Bearer ${Object(json.data).accessToken}` } };
    const made = async (session = own as Pick<typeof own, 'headers'>) =>
      newAuthenticator().register(await page.begun(session));
    for (let number = 2; number < 10; number += 1) await page.add(await made(), own);
    for (let round = 0; round < rounds(5); round += 1) {
      const [first, other] = [await made(), await made(second)];

      const answers = await Promise.all([page.add(first, own), page.add(other, second)]);
      const begun = await world.post('/v1/admin/auth/passkeys/options', {}, own.headers);

      expect(answers.map(shown).toSorted()).toEqual(['201 ', '422 PASSKEY_LIMIT_REACHED']);
      expect(shown(begun)).toBe('422 PASSKEY_LIMIT_REACHED');
      const all = await page.list(own);
      expect(all).toHaveLength(10);
      await page.remove(String(all[0]?.id), own);
    }
  });

  test(`adds one passkey by parallel requests for one challenge, ${rounds(5)} times`, async () => {
    const own = await enrolled();
    for (let round = 0; round < rounds(5); round += 1) {
      const options = await page.begun(own);
      const made = [newAuthenticator().register(options), newAuthenticator().register(options)];

      const answers = await Promise.all(made.map((credential) => page.add(credential, own)));

      expect(answers.map(shown).toSorted()).toEqual(['201 ', INVALID]);
    }
  });

  test('adds none after the session has ended', async () => {
    const own = await enrolled();
    const credential = newAuthenticator().register(await page.begun(own));

    const late = await world.database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM operators WHERE id = $1 FOR UPDATE', [own.id]);
      const answer = page.add(credential, own);
      const WAITING = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(async () => expect(await world.database.query(WAITING)).toHaveLength(1));
      await tx.query('UPDATE sessions SET ended_at = now() WHERE operator_id = $1', [own.id]);
      return { answer };
    });

    expect(shown(await late.answer)).toBe('401 INVALID_TOKEN');
    const rows = await world.database.query('SELECT 1 FROM operator_passkeys WHERE operator_id = $1', [
      own.id,
    ]);
    expect(rows).toEqual([]);
  });
});

const FALSE: [string, Answering][] = [
  ['for another origin', { origin: 'https://operadores.plataforma.example' }],
  ['for another relying party', { rpId: 'plataforma.test' }],
  ['of another type', { type: 'webauthn.get' }],
  ['in a foreign frame', { crossOrigin: true }],
  ['without verification of the person', { flags: 0x01 }],
  ['for a challenge of its own', { challenge: 'AAAA' }],
  ['with a certificate', { attest: attestByCertificate }],
  ['with an attestation of another form', { attest: () => ({ fmt: 'apple', attStmt: new Map() }) }],
];

describe('a new passkey', () => {
  test.each(FALSE)('%s is refused, and uses up the challenge', async (_, answering) => {
    const own = await enrolled();
    const authenticator = newAuthenticator();
    const options = await page.begun(own);

    const refused = await page.add(authenticator.register(options, answering), own);
    const right = await page.add(authenticator.register(options), own);

    const isUsed = answering.challenge === undefined && answering.crossOrigin === undefined;
    expect([refused, right].map(shown)).toEqual([INVALID, isUsed ? INVALID : '201 ']);
  });

  test('that attests itself is accepted', async () => {
    const own = await enrolled();
    const made = newAuthenticator().register(await page.begun(own), { attest: packed });

    expect(shown(await page.add(made, own))).toBe('201 ');
  });

  test('whose attestation is broken is refused', async () => {
    const own = await enrolled();
    const { response, ...credential } = newAuthenticator().register(await page.begun(own));
    const broken = { ...credential, response: { ...response, attestationObject: 'AAAA' } };

    expect(shown(await page.add(broken, own))).toBe(INVALID);
  });

  test('for a used, late or foreign challenge is refused', async () => {
    const [own, other] = [await enrolled(), await enrolled()];
    const made = newAuthenticator().register(await page.begun(own));
    const answers = [await page.add(made, own), await page.add(made, own)];
    const late = newAuthenticator().register(await page.begun(own));
    const expire = 'UPDATE operator_challenges SET expires_at = now() WHERE operator_id = $1';
    await world.database.query(expire, [own.id]);
    answers.push(await page.add(late, own));
    answers.push(await page.add(newAuthenticator().register(await page.begun(other)), own));

    expect(answers.map(shown)).toEqual(['201 ', INVALID, INVALID, INVALID]);
  });

  test('for a challenge that the session has replaced is refused', async () => {
    const own = await enrolled();
    const former = await page.begun(own);
    const next = await page.begun(own);

    const answers = [
      await page.add(newAuthenticator().register(former), own),
      await page.add(newAuthenticator().register(next), own),
    ];

    expect(answers.map(shown)).toEqual([INVALID, '201 ']);
  });

  test('of a key pair that another operator has is refused', async () => {
    const own = await page.newOwner();
    const other = await enrolled();

    const answer = await page.add(own.authenticator.register(await page.begun(other)), other);

    expect(shown(answer)).toBe(INVALID);
    expect(shown(await page.logInBy(own))).toBe('200 ');
  });
});

describe('a confirmation', () => {
  test('by a passkey makes the factor fresh', async () => {
    const own = await page.newOwner();
    const age = "factor_at = now() - interval '6 minutes'";
    await world.database.query(`UPDATE sessions SET ${age} WHERE operator_id = $1`, [own.id]);
    const { refreshToken } = own;
    const refreshed = await world.post('/v1/admin/auth/refresh', { refreshToken });
    const tokenIn = ({ json }: { json: { data?: unknown } }) => ({
      headers: { authorization: `Bearer ${Object(json.data).accessToken}` },
    });
    const stale = tokenIn(refreshed);

    const options = await page.confirming(stale);
    const passkey = own.authenticator.answer(options);
    const confirmed = await page.confirm({ passkey }, stale);
    const replayed = await page.confirm({ passkey }, stale);

    expect([refreshed, confirmed, replayed].map(shown)).toEqual(['200 ', '200 ', WRONG]);
    expect((await page.remove(own.passkeyId, stale)).code).toBe('SECOND_FACTOR_STALE');
    expect((await page.remove(own.passkeyId, tokenIn(confirmed))).status).toBe(200);
  });

  test('needs a code or an answer', async () => {
    const own = await newOperator(world, { isEnrolled: true });

    const { json } = await page.confirm({}, own);
    const none = await world.post('/v1/admin/auth/confirm/options', {}, own.headers);

    expect(json.error?.message).toBe('otp: is required');
    expect(shown(none)).toBe('409 INVALID_STATE');
  });
});

test('without origins, passkeys are refused with a clear error, and codes work', async () => {
  const plain = await startWorld();
  const own = await newOperator(plain, { isEnrolled: true });
  const authenticator = newAuthenticator();
  const { add, confirm, list } = passkeysOf(plain);
  const login = { email: own.email, password: PASSWORD };

  const answers = [
    await plain.post('/v1/admin/auth/passkeys/options', {}, own.headers),
    await plain.post('/v1/admin/auth/confirm/options', {}, own.headers),
    await add(authenticator.register({ challenge: 'AAAA' }), own),
    await confirm({ passkey: authenticator.answer({ challenge: 'AAAA' }) }, own),
    await plain.post('/v1/admin/auth/login', {
      ...login,
      passkey: authenticator.answer({ challenge: 'AAAA' }),
    }),
  ];

  expect(answers.map(shown)).toEqual(Array(5).fill('409 PASSKEYS_NOT_CONFIGURED'));
  expect(answers[0]?.json.error?.message).toContain('OPERATOR_ORIGINS is not set');
  const otp = String(own.recoveryCodes[0]);
  const codes = [await plain.post('/v1/admin/auth/login', login), await confirm({ otp }, own)];
  expect(codes.map(shown)).toEqual(['401 SECOND_FACTOR_REQUIRED', '200 ']);
  expect([codes[0]?.json.error?.passkey, await list(own)]).toEqual([undefined, []]);
  await plain.stop();
});
