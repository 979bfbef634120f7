export type Environment = 'sandbox' | 'production';

export function environmentOf(path: string): Environment {
  return path === '/test' || path.startsWith('/test/') ? 'sandbox' : 'production';
}
