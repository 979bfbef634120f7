/** Where a log-in leads to: a path of ours, whatever the form says. */
export function localPath(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/') || /^\/[/\\]/.test(wanted)) return '/';
  const own = 'http://own.invalid';
  const url = URL.parse(wanted, own);
  return url?.origin === own ? url.pathname + url.search : '/';
}
