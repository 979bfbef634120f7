import { isIP, isIPv6 } from 'node:net';
import { addressList, groupsOf } from '@plataforma/kernel/addresses';
import { type SpecialRange, specialRanges } from './special-ranges.ts';

/** The only part of IPv6 of which addresses are given to hosts of the internet. */
const isGlobalUnicast = addressList(['2000::/3']);

/** The narrowest first: of ranges within each other it is the one that says most. */
const ranges = specialRanges
  .map((special) => ({
    special,
    isIPv6: special.range.includes(':'),
    bits: Number(special.range.split('/')[1]),
    includes: addressList([special.range]),
  }))
  .sort((a, b) => b.bits - a.bits);

/** The range of the table that an address lies in. */
export function specialRangeOf(address: string): SpecialRange | undefined {
  const family = isIPv6(address);
  // An IPv4 address would lie in the range of those mapped to IPv6, and a mapped one in a range of IPv4.
  return ranges.find((each) => each.isIPv6 === family && each.includes(address))?.special;
}

/**
 * Tells whether an address may be one of the internet's: in no special range, no form of IPv6 that leads to an IPv4
 * address, and none of those that are `ours`.
 */
export function isPublicAddress(address: string, isOwnAddress: (address: string) => boolean): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (specialRangeOf(address) || isOwnAddress(address)) return false;
  return !isIPv6(address) || (isGlobalUnicast(address) && !isIsatap(address));
}

/** ISATAP (RFC 5214): under any prefix, the second half says the IPv4 address that a router sends the packet to. */
function isIsatap(address: string): boolean {
  const [, , , , flags, mark] = groupsOf(address);
  return mark === '5efe' && (flags === '0' || flags === '200');
}
