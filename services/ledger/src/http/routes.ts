import type { Router } from '@plataforma/http';
import { sandboxClockRoute } from '@plataforma/service';
import type { LedgerParts } from '../parts.ts';
import { countUnsettled } from '../store/moved-clocks.ts';
import { adminRoutes } from './admin-routes.ts';
import { internalRoutes } from './internal-routes.ts';
import { receivableRoutes } from './receivable-routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { walletRoutes } from './wallet-routes.ts';

/** The ledger's own routes, beside those that every service has for operators. */
export function routes(router: Router, parts: LedgerParts): void {
  walletRoutes(router, parts);
  statementRoutes(router, parts);
  receivableRoutes(router, parts);
  adminRoutes(router, parts);
  internalRoutes(router, parts);
  timelineRoutes(router, parts);
  sandboxClockRoute(router, { ...parts, count: countUnsettled });
}
