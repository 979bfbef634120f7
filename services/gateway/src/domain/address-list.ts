import { BlockList, isIP, isIPv6 } from 'node:net';

const CIDR = /^(.+)\/(\d{1,3})$/;

/** Whether an entry is an IPv4 or IPv6 address or a CIDR range; what is not can't restrict anything. */
export function isAddressOrRange(entry: string): boolean {
  try {
    addTo(new BlockList(), entry);
    return true;
  } catch {
    return false;
  }
}

/** Tells whether an address lies in one of the entries; an IPv4 address is the same when written as IPv6. */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) addTo(list, entry);
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/**
 * Where a call comes from: the right-most hop that is not one of our own proxies. What stands further left was
 * written by whoever called, and may say anything.
 */
export function callerAddress(
  { connection, forwardedFor }: { connection: string; forwardedFor: string },
  isOurProxy: (address: string) => boolean,
): string {
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  let address = connection;
  while (isOurProxy(address)) {
    const before = hops.pop();
    if (!before) return address;
    address = before;
  }
  return address;
}

function addTo(list: BlockList, entry: string): void {
  const range = CIDR.exec(entry);
  if (range?.[1] && range[2]) list.addSubnet(range[1], Number(range[2]), familyOf(range[1]));
  else list.addAddress(entry, familyOf(entry));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
