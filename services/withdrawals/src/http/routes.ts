import type { Router } from '@plataforma/http';
import { sandboxClockRoute } from '@plataforma/service';
import type { WithdrawalsParts } from '../parts.ts';
import { payableBySandboxTime } from '../store/withdrawals.ts';
import { adminRoutes } from './admin-routes.ts';
import { callbackRoutes } from './callback-routes.ts';
import { dayRoutes } from './day-routes.ts';
import { destinationRoutes } from './destination-routes.ts';
import { qrRoutes } from './qr-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { withdrawalRoutes } from './withdrawal-routes.ts';

/** Mounts the routes of withdrawals, beside those that every service has for operators. */
export function routes(router: Router, parts: WithdrawalsParts): void {
  withdrawalRoutes(router, parts);
  destinationRoutes(router, parts);
  qrRoutes(router, parts);
  sandboxRoutes(router, parts);
  adminRoutes(router, parts);
  callbackRoutes(router, parts);
  timelineRoutes(router, parts);
  dayRoutes(router, parts);
  quoteRoutes(router, parts);
  sandboxClockRoute(router, { ...parts, ...payableBySandboxTime });
}
