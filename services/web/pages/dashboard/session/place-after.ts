import { environmentOf } from '../../shared/environment.ts';

/** Where a log-in leads: a path of this origin only, as a link from elsewhere may name anything. */
export function placeAfter(next: string | undefined, path: string): string {
  const base = environmentOf(path) === 'sandbox' ? '/test' : '';
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next)) return base || '/';
  return next === base || next.startsWith(`${base}/`) ? next : base + next;
}
