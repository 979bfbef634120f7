import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutbound, type Outbound } from '@plataforma/http';
import { cob, createFakeBank, HOST, KEYS_URL } from '../support/qr-bank.ts';
import { codeTo } from '../support/qr-codes.ts';
import { type Decoder, startDecoder } from '../support/qr-decoder.ts';

type OpenSocket = NonNullable<Parameters<typeof createOutbound>[0]['openSocket']>;

const looked: string[] = [];
const offered: string[] = [];
let addresses: Record<string, string[]> = {};
let outbound: Outbound;
let decoder: Decoder;

/** Resolves the host name as a real connection does, and then fails instead of connecting. */
const resolveOnly: OpenSocket = (lookup) => (target, callback) => {
  lookup(target.hostname, { all: true }, (error, found) => {
    if (!error) offered.push(JSON.stringify(found));
    callback(error ?? new Error('far enough'), null);
  });
};

const resolve = async (name: string) => {
  looked.push(name);
  return addresses[name] ?? [];
};

beforeAll(async () => {
  outbound = createOutbound({ allowInsecure: false, resolve, openSocket: resolveOnly });
  decoder = await startDecoder({ guarded: outbound });
});
afterEach(() => {
  looked.splice(0);
  offered.splice(0);
  addresses = {};
});
afterAll(async () => {
  await decoder.stop();
  await outbound.close();
});

const NOWHERE = {
  status: 422,
  error: { code: 'QR_CODE_UNRESOLVABLE', message: 'the code leads to an address that no bank has' },
};
/**
 * An unknown name, a private address and a closed port give this same answer, so that callers cannot explore
 * the network.
 */
const OUT_OF_REACH = {
  status: 422,
  error: { code: 'QR_CODE_UNRESOLVABLE', message: 'the bank behind the code can’t be reached' },
};
const NO_URL = {
  status: 422,
  error: { code: 'INVALID_QR_CODE', message: 'The URL in the code is not host/path over HTTPS.' },
};

describe('a forbidden address in a code', () => {
  test.each([
    '127.0.0.1/x',
    'https://127.0.0.1/x',
    '2130706433/x',
    '127.0.0.1:443/x',
    '169.254.169.254/latest/meta-data/',
    'localhost/x',
    'db.localhost/x',
    'pix.example:22/x',
    'pix.example:80/x',
    'pix.example:8443/x',
    'pix.example:0/x',
    'pix.example:99999/x',
    '127.0.0.1:5432/x',
    '256.256.256.256/x',
  ])('like %s is refused without a lookup', async (url) => {
    expect(await decoder.decode(codeTo(url))).toMatchObject(NOWHERE);
    expect([looked, offered]).toEqual([[], []]);
  });

  test.each([
    '127.0.0.1./x',
    'localhost./x',
    '[::1]/x',
    '[::ffff:127.0.0.1]/x',
    '[::ffff:7f00:1]/x',
    '[64:ff9b::7f00:1]/x',
    '[2002:7f00:1::]/x',
    'user@127.0.0.1/x',
    'pix.example@127.0.0.1/x',
    'pix.example:443@127.0.0.1/x',
    'pix.example\\@127.0.0.1/x',
    'pix.example#@127.0.0.1/x',
    'pix.example?@127.0.0.1/x',
    'pix.example%2f@127.0.0.1/x',
    '//127.0.0.1/x',
    '/etc/passwd',
    'http://pix.example/x',
    'HTTP://127.0.0.1/x',
    'https://https://127.0.0.1/x',
    'file:///etc/passwd',
    'ftp://pix.example/x',
    '１２７.0.0.1/x',
    '127。0。0。1/x',
    'ⓛocalhost/x',
    'pix.example',
    'pix.example/x y',
  ])('is refused as no bank address: %s', async (url) => {
    expect(await decoder.decode(codeTo(url))).toMatchObject(NO_URL);
    expect([looked, offered]).toEqual([[], []]);
  });
});

describe('a host name in a code', () => {
  test('with a private address is refused without a connection', async () => {
    addresses = { 'pix.example': ['93.184.216.34', '10.0.0.1'] };

    expect(await decoder.decode(codeTo('pix.example/x'))).toMatchObject(OUT_OF_REACH);
    expect([looked, offered]).toEqual([['pix.example'], []]);
  });

  test.each(['a', 'kubernetes.default.svc', 'pix.example/../../x'])(
    'without an address is refused: %s',
    async (name) => {
      const answer = await decoder.decode(codeTo(`${name}/x`));

      expect(answer).toMatchObject(OUT_OF_REACH);
      expect(offered).toEqual([]);
    },
  );
});

test('a host that becomes private gets no request for keys', async () => {
  const bank = createFakeBank();
  const code = bank.code();
  const own = await startDecoder({
    guarded: {
      request: (request) =>
        request.url === KEYS_URL ? outbound.request(request) : bank.web.request(request),
    },
  });
  addresses = { [HOST]: ['192.168.0.10'] };

  const answer = await own.decode(code);
  await own.stop();

  expect(answer).toMatchObject(OUT_OF_REACH);
  expect([looked, offered]).toEqual([[HOST], []]);
});

test('keys of trusted issuers are not fetched from private addresses', async () => {
  const bank = createFakeBank();
  const own = await startDecoder({
    guarded: {
      request: (request) =>
        request.url.includes(HOST) ? bank.web.request(request) : outbound.request(request),
    },
    trustedIssuers: new Set(['10.0.0.1', 'chaves.example']),
  });
  addresses = { 'chaves.example': ['10.0.0.1'] };

  const answers = [];
  for (const host of ['10.0.0.1', 'chaves.example']) {
    answers.push(await own.decode(bank.code(cob(), { jku: `https://${host}/jwks.json` })));
  }
  await own.stop();

  expect(answers).toMatchObject([NOWHERE, OUT_OF_REACH]);
  expect(offered).toEqual([]);
});
