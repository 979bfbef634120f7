import { localPath } from '@plataforma/kernel/web-addresses';
import { environmentOf } from '../../shared/environment.ts';

/**
 * Returns the path to open after the log-in. The path is always one of this site, because a link on another
 * site may put any address into `next`.
 */
export function pathAfterLogIn(next: string | undefined, path: string): string {
  const base = environmentOf(path) === 'sandbox' ? '/test' : '';
  const local = localPath(next ?? '');
  if (local === null) return base || '/';
  return local === base || local.startsWith(`${base}/`) ? local : base + local;
}
