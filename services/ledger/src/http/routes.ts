import type { Router } from '@plataforma/http';
import { proposalRoutes, sandboxClockRoute } from '@plataforma/service';
import type { LedgerDependencies } from '../dependencies.ts';
import { countUnsettled } from '../store/moved-clocks.ts';
import { adminRoutes } from './admin-routes.ts';
import { internalRoutes } from './internal-routes.ts';
import { receivableRoutes } from './receivable-routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { walletRoutes } from './wallet-routes.ts';

export function routes(router: Router, dependencies: LedgerDependencies): void {
  walletRoutes(router, dependencies);
  statementRoutes(router, dependencies);
  receivableRoutes(router, dependencies);
  adminRoutes(router, dependencies);
  proposalRoutes(router, { ...dependencies, ...dependencies.proposals });
  internalRoutes(router, dependencies);
  timelineRoutes(router, dependencies);
  sandboxClockRoute(router, { ...dependencies, count: countUnsettled });
}
