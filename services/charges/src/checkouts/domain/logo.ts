import { Refusal } from '@plataforma/kernel';
import { pixelsOf } from '../../domain/image-size.ts';

const MAX_LOGO_BYTES = 64 * 1024;
/** A buyer's browser needs 64 MB of memory for an image of this size. */
const MAX_PIXELS = 16_000_000;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const startsOf: Readonly<Record<string, (image: Buffer) => boolean>> = {
  png: (image) => image.subarray(0, 8).equals(PNG),
  jpeg: (image) => image.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  webp: (image) => image.toString('latin1', 0, 4) === 'RIFF' && image.toString('latin1', 8, 12) === 'WEBP',
};

/**
 * The maximum number of links with a logo of their own in an account. Every other link shows the account's
 * logo.
 */
const MAX_LINKS_WITH_LOGO = 100;

export function requireRoomForLogo(linksWithLogo: number): void {
  if (linksWithLogo < MAX_LINKS_WITH_LOGO) return;
  const message = `${MAX_LINKS_WITH_LOGO} links have a logo of their own: leave \`logo\` out, or clear that of another link`;
  throw new Refusal('unprocessable', 'LOGO_LIMIT_REACHED', message);
}

/**
 * Refuses a logo whose bytes do not match its declared type. Only PNG, JPEG and WebP are accepted, because
 * they contain no script.
 */
export function requireImage(logo: string): void {
  const [, type = '', base64 = ''] = /^data:image\/(\w+);base64,(.+)$/.exec(logo) ?? [];
  const image = Buffer.from(base64, 'base64');
  if (image.length <= MAX_LOGO_BYTES && startsOf[type]?.(image) && pixelsOf(image) <= MAX_PIXELS) return;
  const message = 'logo: must be a PNG, JPEG or WebP of at most 64 KB, as its data URI says';
  throw new Refusal('invalid', 'VALIDATION_ERROR', message);
}
