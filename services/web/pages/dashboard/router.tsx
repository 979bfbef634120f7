import {
  type AnyValidator,
  type Constrain,
  createRoute,
  createRouter,
  type DefaultValidator,
  lazyRouteComponent,
  notFound,
  type RouteComponent,
} from '@tanstack/react-router';
import { environment } from '../shared/api.ts';
import { frame, logIn, register, root } from './base-routes.ts';
import { chargesSearch } from './charges/search.ts';
import { disputesSearch } from './disputes/search.ts';
import { eventsSearch } from './events/search.ts';
import { homeSearch } from './home/search.ts';
import { linksSearch } from './payment-links/search.ts';
import { refundsSearch } from './refunds/search.ts';
import { requestsSearch } from './requests/search.ts';
import { parseSearch, searchOf, stringifySearch } from './search.ts';
import { statementSearch } from './statement/search.ts';
import { deliverySearch } from './webhooks/search.ts';
import { withdrawalsSearch } from './withdrawals/search.ts';

const lazy = lazyRouteComponent;

/** A page within the frame; its search is what `readSearch` reads of the URL. */
function page<const Path extends string, Read = undefined>(
  path: Path,
  component: RouteComponent,
  readSearch?: Read,
) {
  const validateSearch = readSearch as Constrain<Read, AnyValidator, DefaultValidator>;
  return createRoute({ getParentRoute: () => frame, path, component, validateSearch });
}

const sandbox = createRoute({
  getParentRoute: () => frame,
  path: '/sandbox',
  beforeLoad: () => {
    if (environment !== 'sandbox') throw notFound();
  },
  component: lazy(() => import('./sandbox/sandbox.tsx'), 'SandboxPage'),
});

const inFrame = [
  page(
    '/',
    lazy(() => import('./home/home.tsx'), 'HomePage'),
    homeSearch,
  ),
  page(
    '/charges',
    lazy(() => import('./charges/charges.tsx'), 'ChargesPage'),
    chargesSearch,
  ),
  page(
    '/charges/new',
    lazy(() => import('./new-charge/new-charge.tsx'), 'NewChargePage'),
  ),
  page(
    '/charges/$id',
    lazy(() => import('./charge/charge.tsx'), 'ChargePage'),
  ),
  page(
    '/payment-links',
    lazy(() => import('./payment-links/payment-links.tsx'), 'PaymentLinksPage'),
    linksSearch,
  ),
  page(
    '/payment-links/new',
    lazy(() => import('./link-form/new-link.tsx'), 'NewLinkPage'),
  ),
  page(
    '/payment-links/$id',
    lazy(() => import('./payment-link/payment-link.tsx'), 'PaymentLinkPage'),
  ),
  page(
    '/payment-links/$id/edit',
    lazy(() => import('./link-form/edit-link.tsx'), 'EditLinkPage'),
  ),
  page(
    '/refunds',
    lazy(() => import('./refunds/refunds.tsx'), 'RefundsPage'),
    refundsSearch,
  ),
  page(
    '/disputes',
    lazy(() => import('./disputes/disputes.tsx'), 'DisputesPage'),
    disputesSearch,
  ),
  page(
    '/disputes/$id',
    lazy(() => import('./dispute/dispute.tsx'), 'DisputePage'),
  ),
  page(
    '/balance',
    lazy(() => import('./balance/balance.tsx'), 'BalancePage'),
  ),
  page(
    '/statement',
    lazy(() => import('./statement/statement.tsx'), 'StatementPage'),
    statementSearch,
  ),
  page(
    '/withdrawals',
    lazy(() => import('./withdrawals/withdrawals.tsx'), 'WithdrawalsPage'),
    withdrawalsSearch,
  ),
  page(
    '/withdrawals/new',
    lazy(() => import('./new-withdrawal/new-withdrawal.tsx'), 'NewWithdrawalPage'),
  ),
  page(
    '/withdrawals/$id',
    lazy(() => import('./withdrawal/withdrawal.tsx'), 'WithdrawalPage'),
  ),
  page(
    '/destinations',
    lazy(() => import('./destinations/destinations.tsx'), 'DestinationsPage'),
    searchOf({}),
  ),
  page(
    '/developers',
    lazy(() => import('./developers/developers.tsx'), 'DevelopersPage'),
  ),
  page(
    '/developers/keys',
    lazy(() => import('./api-keys/api-keys.tsx'), 'ApiKeysPage'),
    searchOf({}),
  ),
  page(
    '/developers/webhooks',
    lazy(() => import('./webhooks/webhooks.tsx'), 'WebhooksPage'),
  ),
  page(
    '/developers/webhooks/$id',
    lazy(() => import('./webhook/webhook.tsx'), 'WebhookPage'),
    deliverySearch,
  ),
  page(
    '/developers/deliveries/$id',
    lazy(() => import('./delivery/delivery.tsx'), 'DeliveryPage'),
  ),
  page(
    '/developers/events',
    lazy(() => import('./events/events.tsx'), 'EventsPage'),
    eventsSearch,
  ),
  page(
    '/developers/requests',
    lazy(() => import('./requests/requests.tsx'), 'RequestsPage'),
    requestsSearch,
  ),
  page(
    '/settings',
    lazy(() => import('./settings/settings.tsx'), 'SettingsPage'),
  ),
  sandbox,
] as const;

/** Test mode is in the path, so that two tabs may differ: production has no prefix. */
export const router = createRouter({
  routeTree: root.addChildren([logIn, register, frame.addChildren([...inFrame])]),
  basepath: environment === 'sandbox' ? '/test' : '/',
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
