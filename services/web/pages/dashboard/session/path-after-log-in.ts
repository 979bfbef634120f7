import { localPath } from '@plataforma/kernel/web-addresses';
import { environmentOf } from '../../shared/environment.ts';

/** Where a log-in leads: a path of this origin only, as a link from elsewhere may name anything. */
export function pathAfterLogIn(next: string | undefined, path: string): string {
  const base = environmentOf(path) === 'sandbox' ? '/test' : '';
  const local = localPath(next ?? '');
  if (local === null) return base || '/';
  return local === base || local.startsWith(`${base}/`) ? local : base + local;
}
