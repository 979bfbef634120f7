import { describe, expect, test } from '@jest/globals';
import { mask, runInContext } from '@plataforma/observe';
import { createTestDatabase } from '@plataforma/testing';
import { createCapturedLog, silent } from '@plataforma/testing/fixtures';
import { openDatabase } from '../src/index.ts';

/** One sample of each kind of data that no log may hold. */
const canaries = {
  cpf: '52998224725',
  punctuatedCpf: '529.982.247-25',
  cnpj: '34665388000161',
  punctuatedCnpj: '34.665.388/0001-61',
  alphanumericCnpj: '12ABC34501DE35',
  punctuatedAlphanumericCnpj: '12.ABC.345/01DE-35',
  email: 'maria.silva+pix@loja.example',
  cpfInAWord: 'pedido12345678909',
  hyphenatedCpf: '123456789-09',
  halfPunctuatedCpf: '123.456.78909',
  spacedCpf: '123 456 789 09',
  halfPunctuatedCnpj: '12345678/0001-95',
  spacedCnpj: '12345678 0001 95',
  smallAlphanumericCnpj: '12abc34501de35',
  smallPunctuatedCnpj: '12abc345/01de-35',
  longNumber: '00020126360014123456789090',
  phone: '+5511987654321',
  nationalPhone: '(11) 98765-4321',
  landline: '1132654321',
  spacedPhone: '11 98765 4321',
  spacedMobile: '11 987654321',
  internationalPhone: '+55 (11) 98765 4321',
  bareLandline: '(11)32654321',
  card: '4000000000000010',
  dottedCard: '4111.1111.1111.1111',
  spacedCard: '4000 0000 0000 0010',
  liveKey: 'sk_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
  sandboxKey: 'sk_sandbox_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
  webhookSecret: 'whsec_Zm9vYmFyYmF6cXV4-_/+Zm9vYmFyYmF6=',
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLWJ5dGVz',
  bearer: 'Bearer bm9ib2R5LWtub3dzLXRoaXM',
  hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo',
  databasePassword: 'postgres://ledger:hunter2hunter2@db.internal/ledger',
};
const secretsOf = Object.entries(canaries).map(([name, secret]) => [name, secret.replace(/^.*:\/\//, '')]);
const secrets = secretsOf.map(([, secret = '']) => secret.replace(/@db\.internal.*/, ''));

function expectMasked(text: string): void {
  for (const secret of secrets) expect(text).not.toContain(secret);
}

describe('a masked text', () => {
  test.each(Object.entries(canaries))('contains no %s in any position', (_name, secret) => {
    const texts = [
      secret,
      `before ${secret} after`,
      `"${secret}"`,
      `key=${secret},next`,
      `(${secret})`,
    ].concat(['cpf_', 'pedido-', '_', '-'].map((before) => before + secret));

    for (const text of texts) {
      expectMasked(mask(text));
      expect(mask(text)).not.toMatch(/\d{3}/);
    }
  });

  test.each([
    'request 0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f took 12.5 ms',
    '{"traceId":"0af7651916cd43dd8448eb211c80319c","status":201,"amount":99999999}',
    '2026-11-21T12:00:00.000Z connected to the broker at port 5672',
    'relation "journal_lines" does not exist',
    'the entry 0193ad3c-1f2e-7cc3-98c4-123456789012 stays',
    '00-0af76519161234567890211c80319c12-b7ad6b7169203331-01',
    '{"txid":"0af76519161234567890211c80319c12","key":1,"e2e":"E12345678202611211200abcdefghijk"}',
    'E1234567820261121120012345678901 came back as D1234567820261121120012345678901',
    'job_0193ad3c12347cc398c4123456789012 of replicaset2026 at 192.168.100.12:15432',
    'sha256=9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af12345678',
    '2026-11-21 12:00:00.123456+00 services/main-01.ts:1200',
    '{"ms":123.45678909,"lag":1198765.4321,"share":12345.678123412}',
  ])('is unchanged without secrets: %s', (text) => {
    expect(mask(text)).toBe(text);
  });

  test('hides the values of sensitive fields at any depth', () => {
    const body = {
      a: { b: { c: { payerName: 'Maria "da" Silva', pixKey: 'maria', amount: 1 } } },
      password: '',
    };
    const expected = { a: { b: { c: { payerName: '***', pixKey: '***', amount: 1 } } }, password: '***' };

    expect(JSON.parse(mask(JSON.stringify(body)))).toEqual(expected);
    expect(JSON.parse(JSON.parse(mask(JSON.stringify({ body: JSON.stringify(body) }))).body)).toEqual(
      expected,
    );
    expect(mask('{"payerName" : "Maria", 1')).toBe('{"payerName":"***", 1');
  });

  test('is produced quickly for any long text', () => {
    const before = process.cpuUsage();

    mask('a'.repeat(200_000));
    mask('1-'.repeat(100_000));
    mask('1'.repeat(200_000));
    mask('a.'.repeat(100_000));
    mask('0a1'.repeat(70_000));
    mask('1234 '.repeat(40_000));
    mask('"n":1'.repeat(40_000));
    mask('\\'.repeat(200_000));
    mask('"key":"\\'.repeat(30_000));

    // The test measures processor time, because a busy machine delays the process. The search usually takes a
    // tenth of the limit. A search that restarts at each character would take minutes.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

describe('a log line', () => {
  test('is JSON with its request and trace', () => {
    const { log, lines } = createCapturedLog();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

    runInContext({ requestId: 'order-1', traceparent }, () => log.info({ step: 2 }, 'done'));

    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'test',
      requestId: 'order-1',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      step: 2,
      msg: 'done',
    });
  });

  test('contains no secret in its message or nested fields', () => {
    const { log, lines } = createCapturedLog();

    log.warn(
      { deep: { deeper: { ...canaries } }, list: Object.values(canaries) },
      Object.values(canaries).join(' '),
    );

    expectMasked(lines.join());
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn' });
  });

  test('contains no name, password or key under usual field names', () => {
    const { log, lines } = createCapturedLog();

    log.info({
      password: 'open sesame',
      merchant: { companyName: 'Loja do Zé' },
      req: { body: { payerName: 'Maria' } },
    });

    expect(lines.join()).not.toMatch(/sesame|Loja|Maria/);
  });

  test('stays JSON when a number in it is masked', () => {
    const { log, lines } = createCapturedLog();

    log.info({
      document: 52998224725,
      amount: 2500,
      debt: -52998224725,
      share: 0.1 + 0.2,
      last: 34665388000161,
    });

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      document: '[number]',
      amount: 2500,
      debt: '[number]',
      share: '[number]',
      last: '[number]',
    });
  });

  test('of an error contains its masked stack and causes', () => {
    const { log, lines } = createCapturedLog();
    const cause = new Error(`no mail to ${canaries.email}`);

    log.error({ err: new Error(`the payer ${canaries.cpf} is unknown`, { cause }) }, 'failed');

    expectMasked(lines.join());
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      message: 'the payer [number] is unknown: no mail to [e-mail]',
      stack: expect.stringContaining('log.test.ts'),
    });
  });

  test('of a database error names the constraint without row values', async () => {
    const { log, lines } = createCapturedLog();
    const home = await createTestDatabase();
    const database = openDatabase({ url: home.url, poolSize: 2, log: silent });
    await database.query(
      'CREATE TABLE payers (name text CONSTRAINT payers_name UNIQUE, document text CONSTRAINT payers_document CHECK (false))',
    );
    const failing = [
      "INSERT INTO payers (name, document) VALUES ('Maria das Dores', '52998224725')",
      "SELECT 'Maria das Dores 529.982.247-25 maria.silva+pix@loja.example'::integer",
    ];

    for (const statement of failing) {
      await database.query(statement).catch((error) => log.error({ err: error }, 'failed'));
    }

    expectMasked(lines.join());
    expect(lines[0]).not.toContain('Maria');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      type: 'DatabaseError',
      code: '23514',
      table: 'payers',
      constraint: 'payers_document',
    });
    await database.close();
  });
});
