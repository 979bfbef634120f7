import type { Router } from '@plataforma/http';
import { sandboxClockRoute } from '@plataforma/service';
import { checkoutRoutes } from '../checkouts/http/checkout-routes.ts';
import { disputeRoutes } from '../disputes/http/dispute-routes.ts';
import { fileRoutes } from '../disputes/http/file-routes.ts';
import { openDisputeOf } from '../disputes/store/dispute-lists.ts';
import type { ChargesParts } from '../parts.ts';
import { dueInSandbox } from '../store/moved-clocks.ts';
import { adminRoutes } from './admin-routes.ts';
import { callbackRoutes } from './callback-routes.ts';
import { chargeRoutes } from './charge-routes.ts';
import { creditRoutes } from './credit-routes.ts';
import { listRoutes } from './list-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { weatherRoutes } from './weather-routes.ts';

/** Mounts the routes of charges; the operator routes of every service are mounted elsewhere. */
export function routes(router: Router, parts: ChargesParts): void {
  chargeRoutes(router, parts);
  listRoutes(router, parts);
  quoteRoutes(router, parts);
  sandboxRoutes(router, parts);
  weatherRoutes(router, parts);
  checkoutRoutes(router, { ...parts, disputeOf: (chargeId) => openDisputeOf(parts.database, chargeId) });
  disputeRoutes(router, parts);
  fileRoutes(router, parts);
  adminRoutes(router, parts);
  callbackRoutes(router, parts);
  timelineRoutes(router, parts);
  creditRoutes(router, parts);
  sandboxClockRoute(router, { ...parts, ...dueInSandbox });
}
