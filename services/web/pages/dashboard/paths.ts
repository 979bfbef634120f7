import { environmentOf } from '../shared/environment.ts';

/** The paths of all pages inside the frame. The server answers 404 for any other path. */
const framePaths = [
  '/',
  '/charges',
  '/charges/new',
  '/charges/$id',
  '/charges/$id/receipt',
  '/charges/$id/refunds/$refundId/receipt',
  '/payment-links',
  '/payment-links/new',
  '/payment-links/$id',
  '/payment-links/$id/edit',
  '/refunds',
  '/disputes',
  '/disputes/$id',
  '/balance',
  '/balance/month-end',
  '/statement',
  '/withdrawals',
  '/withdrawals/new',
  '/withdrawals/$id',
  '/withdrawals/$id/receipt',
  '/destinations',
  '/developers',
  '/developers/keys',
  '/developers/webhooks',
  '/developers/webhooks/$id',
  '/developers/deliveries/$id',
  '/developers/events',
  '/developers/requests',
  '/review',
  '/sandbox',
  '/settings',
] as const;

export type FramePath = (typeof framePaths)[number];

const pages = [...framePaths, '/login', '/register'].map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`),
);

/** Returns whether the dashboard has a page at this path of the document. */
export function isPage(path: string): boolean {
  const environment = environmentOf(path);
  const within = environment === 'sandbox' ? path.slice('/test'.length) || '/' : path;
  if (environment === 'production' && /^\/sandbox\/?$/.test(within)) return false;
  return pages.some((page) => page.test(within));
}
