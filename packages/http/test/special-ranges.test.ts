import { isIPv4 } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { addressList } from '@plataforma/kernel/addresses';
import { createOutbound, reasonAgainst } from '../src/outbound.ts';
import { OutboundError } from '../src/outbound-error.ts';
import { specialRangeOf } from '../src/public-address.ts';
import { specialRanges } from '../src/special-ranges.ts';

/** For each family, the length of an address in bits, and a function that writes an address as text. */
const ipv4 = {
  bits: 32n,
  text: (value: bigint) => [24n, 16n, 8n, 0n].map((at) => (value >> at) & 0xffn).join('.'),
};
const ipv6 = {
  bits: 128n,
  text: (value: bigint) =>
    [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((at) => ((value >> at) & 0xffffn).toString(16)).join(':'),
};

/**
 * Returns the first and last address of a range and their neighbours outside it, computed without Node's
 * functions.
 */
function edgesOf(range: string) {
  const [network = '', length = ''] = range.split('/');
  const family = isIPv4(network) ? ipv4 : ipv6;
  const size = 1n << (family.bits - BigInt(length));
  const first = isIPv4(network) ? numberOf(network.split('.'), { base: 10, bits: 8n }) : numberOf6(network);
  const last = first + size - 1n;
  const beside = [first - 1n, last + 1n].filter((value) => value >= 0n && value < 1n << family.bits);
  return {
    ends: [first, last].map(family.text),
    beside: beside.map(family.text),
    isAligned: first % size === 0n,
  };
}

function numberOf(groups: readonly string[], { base, bits }: { base: 10 | 16; bits: bigint }): bigint {
  return groups.reduce((sum, part) => (sum << bits) + BigInt(Number.parseInt(part, base)), 0n);
}

function numberOf6(network: string): bigint {
  const [before = [], after = []] = network
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return numberOf([...before, ...zeros, ...after], { base: 16, bits: 16n });
}

const opened: string[] = [];
let leadsTo = '';
const isOwnAddress = addressList(['185.60.0.0/16', '2804:14::/32']);
const outbound = createOutbound({
  ...{ allowInsecure: false, isOwnAddress },
  resolve: async () => [leadsTo],
  openSocket: (lookup) => (target, callback) => {
    lookup(target.hostname, { all: true }, (error) => {
      if (!error) opened.push(leadsTo);
      callback(error ?? new Error('far enough'), null);
    });
  },
});
afterAll(() => outbound.close());

const urlOf = (address: string) => `https://${isIPv4(address) ? address : `[${address}]`}/`;

/** Tries a URL with the address and a URL with a name that resolves to the address. Opens no socket. */
async function attemptsAt(address: string) {
  leadsTo = address;
  const failure = await outbound
    .request({ method: 'GET', url: 'https://shop.example/', timeoutMs: 5_000 })
    .catch((error) => (error instanceof OutboundError ? error.failure : String(error)));
  const rules = { allowInsecure: false, isOwnAddress };
  return { address, literal: reasonAgainst(URL.parse(urlOf(address)), rules), name: failure };
}

const refused = (address: string) => ({
  ...{ address, literal: 'must be publicly reachable', name: 'address_refused' },
});
const passed = (address: string) => ({ address, literal: undefined, name: 'connection_failed' });

test.each(specialRanges)('$range, $name ($source), is refused from first to last address', async (row) => {
  const { ends, beside, isAligned } = edgesOf(row.range);

  const attempts = [];
  for (const end of ends) attempts.push(await attemptsAt(end));

  expect(isAligned).toBe(true);
  expect(attempts).toEqual(ends.map(refused));
  expect(ends.map(specialRangeOf)).toContain(row);
  expect(beside.map(specialRangeOf)).not.toContain(row);
});

test('each range names its source and occurs once', () => {
  const ranges = specialRanges.map(({ range }) => range);

  expect(new Set(ranges).size).toBe(ranges.length);
  expect(specialRanges.filter(({ name, source }) => name === '' || source === '')).toEqual([]);
});

test.each([
  ['the metadata of most clouds', '169.254.169.254'],
  ['credentials of containers at AWS', '169.254.170.2'],
  ['metadata of AWS by IPv6', 'fd00:ec2::254'],
  ['metadata of Google Cloud by IPv6', 'fd20:ce::254'],
  ['metadata of Alibaba Cloud', '100.100.100.200'],
  ['former metadata of Oracle Cloud', '192.0.0.192'],
  ['the platform of Azure', '168.63.129.16'],
  ['loopback, mapped', '::ffff:127.0.0.1'],
  ['loopback, mapped, in hexadecimal', '0:0:0:0:0:FFFF:7f00:0001'],
  ['a public address, mapped', '::ffff:93.184.216.34'],
  ['the platform of Azure, mapped', '::ffff:168.63.129.16'],
  ['metadata behind NAT64', '64:ff9b::169.254.169.254'],
  ['metadata behind a local NAT64', '64:ff9b:1:a9fe:a9:fe00::'],
  ['metadata by 6to4', '2002:a9fe:a9fe::1'],
  ['loopback by Teredo, with the inverted client address', '2001:0:5db8:d822::80ff:fffe'],
  ['metadata, IPv4-compatible', '::a9fe:a9fe'],
  ['metadata, IPv4-translated', '::ffff:0:169.254.169.254'],
  ['loopback by ISATAP under a public prefix', '2606:2800:220:1:0:5efe:127.0.0.1'],
  ['a global identifier of ISATAP', '2606:2800:220:1:200:5efe:a00:1'],
  ['an unassigned IPv6 block', '4000::1'],
  ['another unassigned IPv6 block, with a zero byte like loopback', '::1:0:0:1'],
  ['the last unassigned IPv6 block', 'fe00::1'],
])('%s is refused: %s', async (_what, address) => {
  expect(await attemptsAt(address)).toEqual(refused(address));
});

test.each([
  'fe80::1%eth0',
  '2606:2800:220:1::1%1',
  '93.184.216.34:443',
  '93.184.216',
  '[2606::1]',
  '',
  ' 93.184.216.34',
])('a name that resolves to %j is refused', async (answer) => {
  const { name } = await attemptsAt(answer);

  expect(name).toBe('address_refused');
});

test.each([
  ...[
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '168.63.129.15', '168.63.129.17'],
  ...[
    '2000::1',
    '2001:200::',
    '2001:db7:ffff::1',
    '2001:db9::',
    '2003::1',
    '2606:2800:220:1::1',
    '3fff:1000::1',
  ],
  ...['2606:2800:220:1:5efe::1', '2606:2800:220:1:1:5efe:a00:1'],
])('%s is a normal public host', async (address) => {
  opened.length = 0;

  expect(await attemptsAt(address)).toEqual(passed(address));
  expect(opened).toEqual([address]);
});

test.each(['185.60.0.0', '185.60.255.255', '::ffff:185.60.1.1', '2804:14::1', '2804:14:ffff::'])(
  '%s is refused as an address of the installation',
  async (address) => {
    expect(await attemptsAt(address)).toEqual(refused(address));
  },
);

test('the installation’s addresses pass where insecure URLs are allowed', () => {
  const rules = { allowInsecure: true, isOwnAddress };

  expect(
    ['http://127.0.0.1/', 'https://185.60.0.1/'].map((url) => reasonAgainst(URL.parse(url), rules)),
  ).toEqual([undefined, undefined]);
});
