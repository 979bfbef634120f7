import { channelsOf, textOn } from '@plataforma/kernel/colours';

const HEX = /^#[0-9a-f]{6}$/i;
const FALLBACK = '#4f3fd9';

/**
 * Returns CSS for the merchant's colour and for the text on that colour. It replaces a colour that is hard to
 * see on the page's surface.
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
 * For each colour scheme: the surface behind a button, and the fill that replaces a merchant's colour close
 * to that surface.
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
