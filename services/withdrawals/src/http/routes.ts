import type { Router } from '@plataforma/http';
import { sandboxClockRoute } from '@plataforma/service';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { payableBySandboxTime } from '../store/withdrawals.ts';
import { adminRoutes } from './admin-routes.ts';
import { callbackRoutes } from './callback-routes.ts';
import { dayRoutes } from './day-routes.ts';
import { destinationRoutes } from './destination-routes.ts';
import { qrRoutes } from './qr-routes.ts';
import { quoteRoutes } from './quote-routes.ts';
import { recipientRoutes } from './recipient-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { withdrawalRoutes } from './withdrawal-routes.ts';

export function routes(router: Router, dependencies: WithdrawalsDependencies): void {
  recipientRoutes(router, dependencies);
  withdrawalRoutes(router, dependencies);
  destinationRoutes(router, dependencies);
  qrRoutes(router, dependencies);
  sandboxRoutes(router, dependencies);
  adminRoutes(router, dependencies);
  callbackRoutes(router, dependencies);
  timelineRoutes(router, dependencies);
  dayRoutes(router, dependencies);
  quoteRoutes(router, dependencies);
  sandboxClockRoute(router, { ...dependencies, ...payableBySandboxTime });
}
