import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { environmentOf } from '../shared/environment.ts';
import { Hello } from './hello/hello.tsx';

const root = createRootRoute({ component: Outlet });
const hello = createRoute({ getParentRoute: () => root, path: '/', component: Hello });

/** Test mode is in the path, so that two tabs may differ: production has no prefix. */
export const router = createRouter({
  routeTree: root.addChildren([hello]),
  basepath: environmentOf(location.pathname) === 'sandbox' ? '/test' : '/',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
