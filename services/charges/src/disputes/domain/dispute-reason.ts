import type { DisputeReason } from '@plataforma/contracts';

/**
 * Patterns of the reasons that networks and banks give: words of MED (Pix) and of acquirers, and codes of
 * Visa (10.4, 13.1) and Mastercard (4837).
 */
const reasonPatterns: readonly [DisputeReason, RegExp][] = [
  ['FRAUD', /FRAUD|^10\.\d|^48(37|40|63|70|71)$/],
  ['NOT_RECEIVED', /NOT_RECEIVED|^13\.1$|^4855$/],
  ['NOT_AS_DESCRIBED', /NOT_AS_DESCRIBED|^13\.[345]$|^4853$/],
  ['DUPLICATE', /DUPLICATE|^12\.6|^4834$/],
  ['CANCELLED', /CANCELL?ED|^13\.[27]$|^4841$/],
  ['AUTHORIZATION', /AUTHORI[SZ]ATION|^11\.\d|^4808$/],
  ['OPERATIONAL', /OPERATIONAL|PROCESSING|^12\.\d/],
];

/** Classifies the reason that a card network or bank gave. An unknown text is OTHER. */
export function disputeReasonOf(networkReason: string): DisputeReason {
  const written = networkReason
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  return reasonPatterns.find(([, pattern]) => pattern.test(written))?.[0] ?? 'OTHER';
}
