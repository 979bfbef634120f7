import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { environment, isLoggedOut } from '../shared/api.ts';
import { Broken } from './frame/broken.tsx';
import { Frame } from './frame/frame.tsx';
import { queryClient } from './query-client.ts';
import { clockQuery } from './sandbox/queries.ts';
import { textIn } from './search.ts';
import { accountQuery } from './session/session.ts';

export const root = createRootRoute({
  component: Outlet,
  errorComponent: Broken,
});

interface LogInSearch {
  next?: string | undefined;
  /** The error code of the refusal, if the browser sent the log-in form without script. */
  refused?: string | undefined;
}

export const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): LogInSearch => ({
    next: textIn(search, 'next'),
    refused: textIn(search, 'refused'),
  }),
  component: lazyRouteComponent(() => import('./session/log-in.tsx'), 'LogInPage'),
});

export const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyRouteComponent(() => import('./session/register.tsx'), 'RegisterPage'),
});

/**
 * Reads the server's clock before a page shows a day or deadline. If the read fails, pages use the device's
 * clock.
 */
async function readClock(): Promise<void> {
  const query = { ...clockQuery, retry: false, revalidateIfStale: true };
  await queryClient.ensureQueryData(query).catch(() => undefined);
}

/** The pages of production that an account in review can use. */
const OPEN_IN_REVIEW = new Set(['/review', '/settings']);

/**
 * Leads an account in review from production's home page to test mode, and from other pages to the page about
 * the review. Test mode is a new document, so the page waits until the browser has left it.
 */
async function leadToReview(path: string): Promise<void> {
  if (environment === 'sandbox' || OPEN_IN_REVIEW.has(path)) return;
  if (path !== '/') throw redirect({ to: '/review' });
  location.replace('/test');
  await new Promise(() => undefined);
}

/**
 * The parent route of all pages that need a session. Without a session the route opens the log-in, which
 * later leads back to the page.
 */
export const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ location }) => {
    const { status } = await queryClient.ensureQueryData(accountQuery).catch((error) => {
      if (isLoggedOut(error)) throw redirect({ to: '/login', search: { next: location.href } });
      throw error;
    });
    if (status === 'PENDING') await leadToReview(location.pathname);
    if (environment === 'sandbox') await readClock();
  },
});
