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

/** What the ledger answers, beside what operators may read and mend of any service. */
export function routes(router: Router, parts: LedgerParts): void {
  walletRoutes(router, parts);
  statementRoutes(router, parts);
  receivableRoutes(router, parts);
  adminRoutes(router, parts);
  internalRoutes(router, parts);
  timelineRoutes(router, parts);
  sandboxClockRoute(router, { ...parts, count: countUnsettled });
}
