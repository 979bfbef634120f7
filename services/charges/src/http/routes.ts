import type { Router } from '@plataforma/http';
import { sandboxClockRoute } from '@plataforma/service';
import { checkoutRoutes } from '../checkouts/http/checkout-routes.ts';
import type { ChargesDependencies } from '../dependencies.ts';
import { disputeRoutes } from '../disputes/http/dispute-routes.ts';
import { fileRoutes } from '../disputes/http/file-routes.ts';
import { openDisputeOf } from '../disputes/store/dispute-lists.ts';
import { dueInSandbox } from '../store/moved-clocks.ts';
import { adminRoutes } from './admin-routes.ts';
import { callbackRoutes } from './callback-routes.ts';
import { chargeRoutes } from './charge-routes.ts';
import { creditRoutes } from './credit-routes.ts';
import { listRoutes } from './list-routes.ts';
import { providerFaultRoutes } from './provider-fault-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';

/** Mounts the routes of this service, except the operator routes that all services have. */
export function routes(router: Router, dependencies: ChargesDependencies): void {
  chargeRoutes(router, dependencies);
  listRoutes(router, dependencies);
  quoteRoutes(router, dependencies);
  sandboxRoutes(router, dependencies);
  providerFaultRoutes(router, dependencies);
  checkoutRoutes(router, {
    ...dependencies,
    disputeOf: (chargeId) => openDisputeOf(dependencies.database, chargeId),
  });
  disputeRoutes(router, dependencies);
  fileRoutes(router, dependencies);
  adminRoutes(router, dependencies);
  callbackRoutes(router, dependencies);
  timelineRoutes(router, dependencies);
  creditRoutes(router, dependencies);
  sandboxClockRoute(router, { ...dependencies, ...dueInSandbox });
}
