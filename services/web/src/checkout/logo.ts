import { createHash } from 'node:crypto';

const digestOf = (logo: string) => createHash('sha256').update(logo).digest('base64url').slice(0, 22);

/** What `page` shows, with the address of its logo instead of the image, which would come again with each reading. */
export function withLogoAt<Shown extends { logo: string | null }>(page: string, shown: Shown): Shown {
  return shown.logo === null ? shown : { ...shown, logo: `${page}/logo/${digestOf(shown.logo)}` };
}

/** The image that an address names by its content; null: the merchant has another one by now, or none. */
export function imageAt(digest: unknown, logo: string | null) {
  if (logo === null || digestOf(logo) !== digest) return null;
  const [, type = '', base64 = ''] = /^data:(image\/\w+);base64,(.+)$/.exec(logo) ?? [];
  return { type, image: Buffer.from(base64, 'base64') };
}
