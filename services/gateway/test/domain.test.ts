import { describe, expect, test } from '@jest/globals';
import { newId, Refusal } from '@plataforma/kernel';
import {
  addressList,
  callerAddress,
  connectingNetwork,
  isAddressOrRange,
  networkOf,
} from '@plataforma/kernel/addresses';
import { type ApiKey, requireUsableKey } from '../src/domain/access.ts';
import { isWellFormedKey, maskedKey, newKey } from '../src/domain/api-key.ts';
import { operatorOrigins } from '../src/relying-party.ts';

describe('an API key', () => {
  test('is unique and well formed', () => {
    const keys = Array.from({ length: 1_000 }, () => newKey('production'));

    expect(new Set(keys).size).toBe(1_000);
    expect(keys.every(isWellFormedKey)).toBe(true);
  });

  test('with one changed character is malformed', () => {
    const key = newKey('sandbox');
    const typos = Array.from({ length: key.length }, (_, at) => {
      const other = key[at] === 'a' ? 'b' : 'a';
      return key.slice(0, at) + other + key.slice(at + 1);
    });

    expect(typos.filter(isWellFormedKey)).toEqual([]);
  });

  const merchantsKey: ApiKey = {
    id: newId(),
    merchantId: newId(),
    merchantStatus: 'APPROVED',
    timeZone: 'UTC',
    environment: 'production',
    scopes: [],
    allowedIps: [],
    expiresAt: null,
    revokedAt: null,
    aheadMs: 0,
  };
  const end = new Date('2026-01-01T12:00:00Z');
  const codeAt = (key: ApiKey, at: number) => {
    try {
      requireUsableKey(key, { now: new Date(end.getTime() + at), address: '203.0.113.7' });
      return '';
    } catch (error) {
      return error instanceof Refusal ? error.code : error;
    }
  };

  test.each<[string, Partial<ApiKey>, string]>([
    ['expires', { expiresAt: end }, 'API_KEY_EXPIRED'],
    ['is revoked', { revokedAt: end }, 'API_KEY_REVOKED'],
    ['expires in its grace period', { expiresAt: end, revokedAt: new Date('2026-01-02') }, 'API_KEY_EXPIRED'],
    [
      'is revoked before it expires',
      { revokedAt: end, expiresAt: new Date('2026-01-02') },
      'API_KEY_REVOKED',
    ],
  ])('that %s works until that millisecond', (_how, ends, code) => {
    const key = { ...merchantsKey, ...ends };

    expect([codeAt(key, -1), codeAt(key, 0), codeAt(key, 1)]).toEqual(['', code, code]);
  });

  test('is masked except its prefix and last four characters', () => {
    const key = newKey('production');

    expect(maskedKey(key, 'production')).toBe(`sk_live_********${key.slice(-4)}`);
  });
});

const isOurProxy = addressList(['10.0.0.0/8', '2001:db8:ffff::/48']);

describe('the address of a caller', () => {
  test.each([
    ['no header names it', '203.0.113.7', '', '203.0.113.7'],
    ['an untrusted caller names another', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a trusted proxy names it', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'two trusted proxies name it one after the other',
      '10.0.0.1',
      '6.6.6.6, 198.51.100.1, 10.9.9.9',
      '198.51.100.1',
    ],
    ['a trusted proxy names it over IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['our proxy names a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['our proxy names a port of IPv6', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['our proxy writes brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['our proxy names a zone', '10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['our proxy writes IPv4 as IPv6', '10.0.0.1', '::FFFF:c633:6401', '198.51.100.1'],
    ['our proxy writes “unknown”', '10.0.0.1', '6.6.6.6, unknown', 'unknown'],
    ['a trusted proxy of IPv6 names it', '2001:db8:ffff::1', '2001:db8::7', '2001:db8::7'],
    ['the last entry is empty', '10.0.0.1', '203.0.113.7,', '10.0.0.1'],
    ['our proxy is the caller', '10.0.0.1', '', '10.0.0.1'],
    ['only our proxies are listed', '10.0.0.1', '10.0.0.2, 2001:db8:ffff::2', '10.0.0.2'],
  ])('is found where %s', (_what, connection, forwardedFor, address) => {
    expect(callerAddress({ connection, forwardedFor }, isOurProxy)).toBe(address);
  });

  test('matches no list when it is malformed', () => {
    expect(['', 'evil', '1.2.3'].map(addressList(['0.0.0.0/0', '::/0']))).toEqual([false, false, false]);
  });

  test.each([
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7', '::ffff:203.0.113.7'],
    ['203.0.113.7', '::ffff:cb00:7107'],
    ['::ffff:203.0.113.0/120', '203.0.113.7'],
    ['203.0.113.0/24', '::ffff:203.0.113.7'],
    ['2001:DB8::/32', '2001:db8:0:0:0:0:0:1'],
  ])('matches %s when it is %s, in any notation', (entry, address) => {
    expect(addressList([entry])(address)).toBe(true);
  });

  test('of IPv6 matches no range of IPv4', () => {
    expect(addressList(['0.0.0.0/0'])('2001:db8::1')).toBe(false);
  });

  test.each([
    '',
    ' ',
    '1.2.3.4/',
    '/8',
    '1.2.3.4/8/8',
    '::1/x',
    '127.0.0.1/08',
    '::1/064',
    'fe80::1%eth0',
    'fe80::%eth0/64',
  ])('cannot be written as %j', (entry) => {
    expect(isAddressOrRange(entry)).toBe(false);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['10.1.2.3', null],
  ['::ffff:10.1.2.3', null],
  ['', ''],
])('a connection from %j counts for the network %j', (address, caller) => {
  expect(connectingNetwork(address, addressList(['10.0.0.0/8']))).toBe(caller);
});

test('a very long X-Forwarded-For is read in little time', () => {
  const forwardedFor = `${'::1,'.repeat(200_000)}198.51.100.1`;
  const before = process.cpuUsage();

  const addresses = ['203.0.113.7', '10.0.0.1'].map((connection) =>
    callerAddress({ connection, forwardedFor }, isOurProxy),
  );

  expect(addresses).toEqual(['203.0.113.7', '198.51.100.1']);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

describe('the network of a caller', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:0DB8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('for %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test.each([
  ['', null],
  [undefined, null],
  ['https://operadores.loja.example', ['operadores.loja.example', 'https://operadores.loja.example']],
  ['http://localhost:8081', ['localhost', 'http://localhost:8081']],
  [
    'https://loja.example, https://operadores.loja.example:8443',
    ['loja.example', 'https://loja.example', 'https://operadores.loja.example:8443'],
  ],
])('the origins %j are accepted', (text, expected) => {
  const party = operatorOrigins.parse(text);

  expect(party && [party.id, ...party.origins]).toEqual(expected);
});

test.each([
  ['http://operadores.loja.example', 'must be origins'],
  ['http://127.0.0.1:8081', 'must be origins'],
  ['https://[::1]', 'must be origins'],
  ['https://loja.example/painel', 'must be origins'],
  ['https://loja.example/', 'must be origins'],
  ['loja.example', 'must be origins'],
  ['https://operadores.loja.example, https://loja.example', 'must be the first host'],
  ['https://loja.example, https://outraloja.example', 'must be the first host'],
])('the origins %j are refused', (text, message) => {
  expect(() => operatorOrigins.parse(text)).toThrow(message);
});
