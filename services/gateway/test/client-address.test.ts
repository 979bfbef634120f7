import { describe, expect, test } from '@jest/globals';
import { addressList, callerAddress, networkOf } from '@plataforma/kernel/addresses';

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
    ['our proxy is the caller', '10.0.0.1', '', '10.0.0.1'],
    ['only our proxies are listed', '10.0.0.1', '10.0.0.2, 2001:db8:ffff::2', '10.0.0.2'],
  ])('is found where %s', (_what, connection, forwardedFor, address) => {
    expect(callerAddress({ connection, forwardedFor }, isOurProxy)).toBe(address);
  });
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
