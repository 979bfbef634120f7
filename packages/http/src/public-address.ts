import { isIP, isIPv6 } from 'node:net';
import { addressList, groupsOf } from '@plataforma/kernel/addresses';
import { type SpecialRange, specialRanges } from './special-ranges.ts';

/** The only part of IPv6 with addresses for hosts of the internet. */
const isGlobalUnicast = addressList(['2000::/3']);

/** Sorted from narrow to wide, because the narrowest of nested ranges is the most specific. */
const ranges = specialRanges
  .map((special) => ({
    special,
    isIPv6: special.range.includes(':'),
    bits: Number(special.range.split('/')[1]),
    includes: addressList([special.range]),
  }))
  .sort((a, b) => b.bits - a.bits);

export function specialRangeOf(address: string): SpecialRange | undefined {
  const family = isIPv6(address);
  // Only one family matches, because the IPv4-mapped range would match IPv4, and IPv4 ranges mapped
  // addresses.
  return ranges.find((each) => each.isIPv6 === family && each.includes(address))?.special;
}

/**
 * Returns true when an address may be a host of the internet. Returns false for special ranges, for IPv6
 * forms that lead to an IPv4 address, and for addresses of `isOwnAddress`.
 */
export function isPublicAddress(address: string, isOwnAddress: (address: string) => boolean): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (specialRangeOf(address) || isOwnAddress(address)) return false;
  return !isIPv6(address) || (isGlobalUnicast(address) && !isIsatap(address));
}

/** Detects ISATAP (RFC 5214): any prefix, then the IPv4 address to which a router sends the packet. */
function isIsatap(address: string): boolean {
  const [, , , , flags, mark] = groupsOf(address);
  return mark === '5efe' && (flags === '0' || flags === '200');
}
