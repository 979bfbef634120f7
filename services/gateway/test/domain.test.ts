import { describe, expect, test } from '@jest/globals';
import { newId, Refusal } from '@plataforma/kernel';
import {
  addressList,
  callerAddress,
  connectingNetwork,
  isAddressOrRange,
} from '@plataforma/kernel/addresses';
import { type ApiKey, requireUsableKey } from '../src/domain/access.ts';
import { isWellFormedKey, maskedKey, newKey } from '../src/domain/api-key.ts';

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

describe('the address of a caller', () => {
  const isOurProxy = addressList(['10.0.0.0/8', 'fd00::/8']);

  test.each([
    ['203.0.113.7', '', '203.0.113.7'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['10.0.0.1', '198.51.100.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['fd00::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '203.0.113.7,', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7, evil', 'evil'],
  ])('over %s with X-Forwarded-For %j is %s', (connection, forwardedFor, address) => {
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
