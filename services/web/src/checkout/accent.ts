import { channelsOf, textOn } from '@plataforma/kernel/colours';

const HEX = /^#[0-9a-f]{6}$/i;
const FALLBACK = '#4f3fd9';

/**
 * Returns CSS for the merchant's colour and for the text on that colour. A colour that is hard to see on the
 * page's background is replaced.
 */
export function accentStyle(checkoutColor: string): string {
  const brand = brandOf(checkoutColor);
  const unlike = SURFACES.filter(({ surface }) => isLike(brand, surface)).map(
    ({ scheme, text }) => `@media (prefers-color-scheme:${scheme}){${rule(text)}}`,
  );
  return [rule(brand), ...unlike].join('');
}

export function brandOf(checkoutColor: string): string {
  return HEX.test(checkoutColor) ? checkoutColor.toLowerCase() : FALLBACK;
}

/**
 * The background of each colour scheme, and the button colour that replaces a merchant's colour which is too
 * close to the background.
 */
const SURFACES = [
  { scheme: 'light', surface: '#ffffff', text: '#161a22' },
  { scheme: 'dark', surface: '#14181f', text: '#eceff4' },
];

function rule(brand: string): string {
  return `:root{--brand:${brand};--on-brand:${textOn(brand)}}`;
}

/** The RGB distance below which two colours look the same. */
const NEAR = 40;

function isLike(one: string, other: string): boolean {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return Math.hypot(...a.map((part, at) => part - (b[at] ?? 0))) < NEAR;
}
