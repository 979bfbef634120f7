import { localPath } from '@plataforma/kernel/web-addresses';
import { environmentOf } from '../../shared/environment.ts';

/**
 * Returns the path to open after the log-in. It is always a path of this site, because another site's link
 * may contain any address.
 */
export function pathAfterLogIn(next: string | undefined, path: string): string {
  const base = environmentOf(path) === 'sandbox' ? '/test' : '';
  const local = localPath(next ?? '');
  if (local === null) return base || '/';
  return local === base || local.startsWith(`${base}/`) ? local : base + local;
}
