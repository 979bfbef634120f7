import { createRoute, createRouter, lazyRouteComponent, notFound } from '@tanstack/react-router';
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

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: homeSearch,
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'HomePage'),
});

const charges = createRoute({
  getParentRoute: () => frame,
  path: '/charges',
  validateSearch: chargesSearch,
  component: lazyRouteComponent(() => import('./charges/charges.tsx'), 'ChargesPage'),
});

const newCharge = createRoute({
  getParentRoute: () => frame,
  path: '/charges/new',
  component: lazyRouteComponent(() => import('./new-charge/new-charge.tsx'), 'NewChargePage'),
});

const charge = createRoute({
  getParentRoute: () => frame,
  path: '/charges/$id',
  component: lazyRouteComponent(() => import('./charge/charge.tsx'), 'ChargePage'),
});

const paymentLinks = createRoute({
  getParentRoute: () => frame,
  path: '/payment-links',
  validateSearch: linksSearch,
  component: lazyRouteComponent(() => import('./payment-links/payment-links.tsx'), 'PaymentLinksPage'),
});

const newLink = createRoute({
  getParentRoute: () => frame,
  path: '/payment-links/new',
  component: lazyRouteComponent(() => import('./link-form/new-link.tsx'), 'NewLinkPage'),
});

const paymentLink = createRoute({
  getParentRoute: () => frame,
  path: '/payment-links/$id',
  component: lazyRouteComponent(() => import('./payment-link/payment-link.tsx'), 'PaymentLinkPage'),
});

const editLink = createRoute({
  getParentRoute: () => frame,
  path: '/payment-links/$id/edit',
  component: lazyRouteComponent(() => import('./link-form/edit-link.tsx'), 'EditLinkPage'),
});

const refunds = createRoute({
  getParentRoute: () => frame,
  path: '/refunds',
  validateSearch: refundsSearch,
  component: lazyRouteComponent(() => import('./refunds/refunds.tsx'), 'RefundsPage'),
});

const disputes = createRoute({
  getParentRoute: () => frame,
  path: '/disputes',
  validateSearch: disputesSearch,
  component: lazyRouteComponent(() => import('./disputes/disputes.tsx'), 'DisputesPage'),
});

const dispute = createRoute({
  getParentRoute: () => frame,
  path: '/disputes/$id',
  component: lazyRouteComponent(() => import('./dispute/dispute.tsx'), 'DisputePage'),
});

const balance = createRoute({
  getParentRoute: () => frame,
  path: '/balance',
  component: lazyRouteComponent(() => import('./balance/balance.tsx'), 'BalancePage'),
});

const statement = createRoute({
  getParentRoute: () => frame,
  path: '/statement',
  validateSearch: statementSearch,
  component: lazyRouteComponent(() => import('./statement/statement.tsx'), 'StatementPage'),
});

const withdrawals = createRoute({
  getParentRoute: () => frame,
  path: '/withdrawals',
  validateSearch: withdrawalsSearch,
  component: lazyRouteComponent(() => import('./withdrawals/withdrawals.tsx'), 'WithdrawalsPage'),
});

const newWithdrawal = createRoute({
  getParentRoute: () => frame,
  path: '/withdrawals/new',
  component: lazyRouteComponent(() => import('./new-withdrawal/new-withdrawal.tsx'), 'NewWithdrawalPage'),
});

const withdrawal = createRoute({
  getParentRoute: () => frame,
  path: '/withdrawals/$id',
  component: lazyRouteComponent(() => import('./withdrawal/withdrawal.tsx'), 'WithdrawalPage'),
});

const destinations = createRoute({
  getParentRoute: () => frame,
  path: '/destinations',
  validateSearch: searchOf({}),
  component: lazyRouteComponent(() => import('./destinations/destinations.tsx'), 'DestinationsPage'),
});

const developers = createRoute({
  getParentRoute: () => frame,
  path: '/developers',
  component: lazyRouteComponent(() => import('./developers/developers.tsx'), 'DevelopersPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => frame,
  path: '/developers/keys',
  validateSearch: searchOf({}),
  component: lazyRouteComponent(() => import('./api-keys/api-keys.tsx'), 'ApiKeysPage'),
});

const webhooks = createRoute({
  getParentRoute: () => frame,
  path: '/developers/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => frame,
  path: '/developers/webhooks/$id',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./webhook/webhook.tsx'), 'WebhookPage'),
});

const delivery = createRoute({
  getParentRoute: () => frame,
  path: '/developers/deliveries/$id',
  component: lazyRouteComponent(() => import('./delivery/delivery.tsx'), 'DeliveryPage'),
});

const events = createRoute({
  getParentRoute: () => frame,
  path: '/developers/events',
  validateSearch: eventsSearch,
  component: lazyRouteComponent(() => import('./events/events.tsx'), 'EventsPage'),
});

const requests = createRoute({
  getParentRoute: () => frame,
  path: '/developers/requests',
  validateSearch: requestsSearch,
  component: lazyRouteComponent(() => import('./requests/requests.tsx'), 'RequestsPage'),
});

const sandbox = createRoute({
  getParentRoute: () => frame,
  path: '/sandbox',
  beforeLoad: () => {
    if (environment !== 'sandbox') throw notFound();
  },
  component: lazyRouteComponent(() => import('./sandbox/sandbox.tsx'), 'SandboxPage'),
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'SettingsPage'),
});

const inFrame = [
  home,
  charges,
  newCharge,
  charge,
  paymentLinks,
  newLink,
  paymentLink,
  editLink,
  refunds,
  disputes,
  dispute,
  balance,
  statement,
  withdrawals,
  newWithdrawal,
  withdrawal,
  destinations,
  developers,
  apiKeys,
  webhooks,
  webhook,
  delivery,
  events,
  requests,
  sandbox,
  settings,
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
