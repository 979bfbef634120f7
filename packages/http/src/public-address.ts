import { isIP, isIPv6 } from 'node:net';
import { addressList, groupsOf } from '@plataforma/kernel/addresses';
import { type SpecialRange, specialRanges } from './special-ranges.ts';

/** The range of IPv6 in which all hosts of the internet have their addresses. */
const isGlobalUnicast = addressList(['2000::/3']);

/**
 * The special ranges. Narrow ranges precede wide ones, because the narrowest of nested ranges is the most
 * specific.
 */
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
  // The families are compared first. Otherwise an IPv4 address would match the IPv4-mapped IPv6 range, and a
  // mapped address would match IPv4 ranges.
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

/**
 * Detects an ISATAP address (RFC 5214): any prefix, followed by the IPv4 address to which a router sends the
 * packet.
 */
function isIsatap(address: string): boolean {
  const [, , , , flags, mark] = groupsOf(address);
  return mark === '5efe' && (flags === '0' || flags === '200');
}
