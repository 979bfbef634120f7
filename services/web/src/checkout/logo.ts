import { createHash } from 'node:crypto';

const digestOf = (logo: string) => createHash('sha256').update(logo).digest('base64url').slice(0, 22);

/**
 * Replaces the logo in the page's data with the image's address. The page reads its data repeatedly, but the
 * browser caches the image.
 */
export function withLogoAt<Shown extends { logo: string | null }>(page: string, shown: Shown): Shown {
  return shown.logo === null ? shown : { ...shown, logo: `${page}/logo/${digestOf(shown.logo)}` };
}

/** Returns the logo with this digest, or null when the merchant has replaced or removed that logo. */
export function imageAt(digest: unknown, logo: string | null) {
  if (logo === null || digestOf(logo) !== digest) return null;
  const [, type = '', base64 = ''] = /^data:(image\/\w+);base64,(.+)$/.exec(logo) ?? [];
  return { type, image: Buffer.from(base64, 'base64') };
}
