import { channelsOf, textOn } from '@plataforma/kernel/colours';

const HEX = /^#[0-9a-f]{6}$/i;
const FALLBACK = '#4f3fd9';

/** The merchant's colour and what is legible on it, whatever colour that is. */
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

/** What buttons lie on, and what they are filled with where the merchant's colour is that of the surface. */
const SURFACES = [
  { scheme: 'light', surface: '#ffffff', text: '#161a22' },
  { scheme: 'dark', surface: '#14181f', text: '#eceff4' },
];

function rule(brand: string): string {
  return `:root{--brand:${brand};--on-brand:${textOn(brand)}}`;
}

/** Nearer than an eye tells them apart as two surfaces. */
const NEAR = 40;

function isLike(one: string, other: string): boolean {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return Math.hypot(...a.map((part, at) => part - (b[at] ?? 0))) < NEAR;
}
