export type Environment = 'sandbox' | 'production';

/** Which environment a page of the dashboard works in. */
export function environmentOf(path: string): Environment {
  return path === '/test' || path.startsWith('/test/') ? 'sandbox' : 'production';
}
