import {
  type AnyValidator,
  type Constrain,
  createRoute,
  createRouter,
  type DefaultValidator,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { ConnectionError, environment } from '../shared/api.ts';
import { reloadAfterMissingFile } from '../shared/new-release.ts';
import { frame, logIn, register, root } from './base-routes.ts';
import { Broken, NotFound } from './frame/broken.tsx';
import type { FramePath } from './paths.ts';
import { parseSearch, searchOf, stringifySearch } from './search.ts';
import {
  chargesSearch,
  deliverySearch,
  disputesSearch,
  eventsSearch,
  homeSearch,
  linksSearch,
  monthEndSearch,
  refundsSearch,
  requestsSearch,
  statementSearch,
  withdrawalsSearch,
} from './searches.ts';

/**
 * Creates the route of a page inside the frame. The page's code loads when the page opens, and `readSearch`
 * parses the URL's parameters.
 */
function page<const Path extends FramePath | '/$', const Name extends string, Read = undefined>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, RouteComponent>>,
  readSearch?: Read,
) {
  const component: RouteComponent = lazyRouteComponent<Record<string, RouteComponent>, string>(
    () => loadOrFail(load),
    name,
  );
  const validateSearch = readSearch as Constrain<Read, AnyValidator, DefaultValidator>;
  // If one page fails, the frame with its bar and its links stays usable.
  const errorComponent = Broken;
  return createRoute({ getParentRoute: () => frame, path, component, validateSearch, errorComponent });
}

/**
 * Loads the code of a page. If the browser's load error reached the router, the router would reload the
 * document and lose the page without a connection. `reloadAfterMissingFile` decides instead.
 */
function loadOrFail<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  return load().catch(async (cause) => {
    await reloadAfterMissingFile();
    throw new ConnectionError(cause);
  });
}

const loadMissing = async () => ({ SandboxPage: NotFound });

const inFrame = [
  page('/', 'HomePage', () => import('./home/home.tsx'), homeSearch),
  page('/charges', 'ChargesPage', () => import('./charges/charges.tsx'), chargesSearch),
  page('/charges/new', 'NewChargePage', () => import('./new-charge/new-charge.tsx')),
  page('/charges/$id', 'ChargePage', () => import('./charge/charge.tsx')),
  page('/charges/$id/receipt', 'ChargeReceiptPage', () => import('./receipts/charge-receipt.tsx')),
  page(
    '/charges/$id/refunds/$refundId/receipt',
    'RefundReceiptPage',
    () => import('./receipts/charge-receipt.tsx'),
  ),
  page('/payment-links', 'PaymentLinksPage', () => import('./payment-links/payment-links.tsx'), linksSearch),
  page('/payment-links/new', 'NewLinkPage', () => import('./link-form/new-link.tsx')),
  page('/payment-links/$id', 'PaymentLinkPage', () => import('./payment-link/payment-link.tsx')),
  page('/payment-links/$id/edit', 'EditLinkPage', () => import('./link-form/edit-link.tsx')),
  page('/refunds', 'RefundsPage', () => import('./refunds/refunds.tsx'), refundsSearch),
  page('/disputes', 'DisputesPage', () => import('./disputes/disputes.tsx'), disputesSearch),
  page('/disputes/$id', 'DisputePage', () => import('./dispute/dispute.tsx')),
  page('/balance', 'BalancePage', () => import('./balance/balance.tsx')),
  page('/balance/month-end', 'MonthEndPage', () => import('./month-end/month-end.tsx'), monthEndSearch),
  page('/statement', 'StatementPage', () => import('./statement/statement.tsx'), statementSearch),
  page('/withdrawals', 'WithdrawalsPage', () => import('./withdrawals/withdrawals.tsx'), withdrawalsSearch),
  page('/withdrawals/new', 'NewWithdrawalPage', () => import('./new-withdrawal/new-withdrawal.tsx')),
  page('/withdrawals/$id', 'WithdrawalPage', () => import('./withdrawal/withdrawal.tsx')),
  page(
    '/withdrawals/$id/receipt',
    'WithdrawalReceiptPage',
    () => import('./receipts/withdrawal-receipt.tsx'),
  ),
  page('/destinations', 'DestinationsPage', () => import('./destinations/destinations.tsx'), searchOf({})),
  page('/developers', 'DevelopersPage', () => import('./developers/developers.tsx')),
  page('/developers/keys', 'ApiKeysPage', () => import('./api-keys/api-keys.tsx'), searchOf({})),
  page('/developers/webhooks', 'WebhooksPage', () => import('./webhooks/webhooks.tsx')),
  page('/developers/webhooks/$id', 'WebhookPage', () => import('./webhook/webhook.tsx'), deliverySearch),
  page('/developers/deliveries/$id', 'DeliveryPage', () => import('./delivery/delivery.tsx')),
  page('/developers/events', 'EventsPage', () => import('./events/events.tsx'), eventsSearch),
  page('/developers/requests', 'RequestsPage', () => import('./requests/requests.tsx'), requestsSearch),
  page('/review', 'ReviewPage', () => import('./review/review.tsx')),
  page('/settings', 'SettingsPage', () => import('./settings/settings.tsx')),
  page('/sandbox', 'SandboxPage', () =>
    environment === 'sandbox' ? import('./sandbox/sandbox.tsx') : loadMissing(),
  ),
  page('/$', 'NotFound', async () => ({ NotFound })),
] as const;

/**
 * The path shows the environment, so that two tabs can show different environments. Production has no prefix.
 */
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
