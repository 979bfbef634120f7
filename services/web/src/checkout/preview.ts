import { textOn } from '@plataforma/kernel/colours';
import type { Request } from 'express';
import { brandOf } from './accent.ts';

const ROBOTS =
  /(?:telegram|twitter|slack|discord|linkedin|google|bing|apple|reddit|pinterest|yandex)bot|whatsapp\/|facebookexternalhit|facebot|skypeuripreview|embedly/i;

/**
 * Returns whether a chat program or a search engine reads the page. The read then does not count as a buyer's
 * view.
 */
export function isPreview(req: Request): boolean {
  return req.method === 'HEAD' || ROBOTS.test(req.get('user-agent') ?? '');
}

/** The preview of a page in a chat, and the icon of the page in a browser tab. */
export interface Preview {
  title: string;
  shop: string;
  text: string;
  logo: string | null;
  colour: string;
}

export function headOf({ title, shop, text, logo, colour }: Preview): string {
  const about = [
    ['property="og:type"', 'website'],
    ['property="og:site_name"', shop],
    ['property="og:title"', title],
    ['property="og:description"', text],
    ['name="description"', text],
  ];
  const metas = about.map(([name, content = '']) => `<meta ${name} content="${escaped(content)}">`);
  return [...metas, `<link rel="icon" href="${escaped(logo ?? markOf(shop, colour))}">`].join('\n');
}

/** Returns an icon with the merchant's initial, for a merchant without a logo. */
function markOf(shop: string, colour: string): string {
  const [letter = ''] = shop;
  const brand = brandOf(colour);
  const text = `<text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" fill="${textOn(brand)}">${escaped(letter.toUpperCase())}</text>`;
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${brand}"/>${text}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(image)}`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
