/** As much of a merchant's URL as others may see: what follows the path may be a secret. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
