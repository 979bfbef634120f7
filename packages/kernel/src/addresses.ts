import { BlockList, isIP, isIPv6 } from 'node:net';

const CIDR = /^(.+)\/(\d{1,3})$/;
/**
 * Matches an IPv6 zone (`%eth0`) or a prefix length with a leading zero. A zone is valid on one machine only,
 * and some programs read a number with a leading zero as octal.
 */
const IMPRECISE = /%|\/0\d/;

/** Returns whether an entry is an IPv4 or IPv6 address or a CIDR range. */
export function isAddressOrRange(entry: string): boolean {
  if (IMPRECISE.test(entry)) return false;
  try {
    addTo(new BlockList(), entry);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a function that checks whether an address is in the entries. The IPv6 form of an IPv4 address
 * (`::ffff:…`) counts as that IPv4 address.
 */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) addTo(list, entry);
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/**
 * Returns a call's origin: the right-most hop that is not one of our own proxies. Ignores the hops further
 * left, because the caller may have written any text there.
 */
export function callerAddress(
  { connection, forwardedFor }: { connection: string; forwardedFor: string },
  isOurProxy: (address: string) => boolean,
): string {
  let address = plainAddress(connection);
  let left = forwardedFor;
  while (isOurProxy(address)) {
    const comma = left.lastIndexOf(',');
    const before = left.slice(comma + 1).trim();
    if (before === '') return address;
    address = plainAddress(before);
    left = left.slice(0, Math.max(comma, 0));
  }
  return address;
}

/**
 * Returns the network of a caller: an IPv4 address, or the /64 of an IPv6 address, which belongs to one
 * customer.
 */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/**
 * Returns the range of addresses that share one limit of slots. It is the IPv4 address, or the IPv6 /48,
 * because a /48 costs a caller no more than a /64.
 */
export function siteOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : address;
}

/** Returns the range that one customer of a hosting provider may own: the IPv4 /24, or the IPv6 /48. */
export function neighbourhoodOf(connection: string): string {
  const address = plainAddress(connection);
  return isIPv6(address) ? siteOf(address) : address.slice(0, address.lastIndexOf('.'));
}

/**
 * Returns the network of a connection. Returns null for one of our own proxies, because all callers share its
 * address.
 */
export function connectingNetwork(
  connection: string,
  isOurProxy: (address: string) => boolean,
): string | null {
  const address = plainAddress(connection);
  return isOurProxy(address) ? null : networkOf(address);
}

/** Returns the IPv6 /48 of a connection. Returns null for IPv4, and for one of our own proxies. */
export function connectingSite(connection: string, isOurProxy: (address: string) => boolean): string | null {
  const address = plainAddress(connection);
  return isIPv6(address) && !isOurProxy(address) ? siteOf(address) : null;
}

const IN_BRACKETS = /^\[([^\]]*)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^([\d.]+):\d+$/;
const ZONE = /%.*$/;

/**
 * Removes the port, brackets or zone that some proxies add. Returns IPv4 for an IPv4 address in IPv6 form.
 */
export function plainAddress(hop: string): string {
  const address = (IN_BRACKETS.exec(hop)?.[1] ?? IPV4_WITH_PORT.exec(hop)?.[1] ?? hop).replace(ZONE, '');
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return address;
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return bytes.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** Returns the eight groups of an IPv6 address, without leading zeros. */
export function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before = [], after = []] = [head, tail].map((part) =>
    part.split(':').filter((group) => group !== ''),
  );
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

function addTo(list: BlockList, entry: string): void {
  const range = CIDR.exec(entry);
  if (range?.[1] && range[2]) list.addSubnet(range[1], Number(range[2]), familyOf(range[1]));
  else list.addAddress(entry, familyOf(entry));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
