import type { Router } from '@plataforma/http';
import type { WebhooksDependencies } from '../dependencies.ts';
import { adminRoutes } from './admin-routes.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';

export function routes(router: Router, dependencies: WebhooksDependencies): void {
  configurationRoutes(router, dependencies);
  deliveryRoutes(router, dependencies);
  faultRoutes(router, dependencies);
  eventRoutes(router, dependencies);
  adminRoutes(router, dependencies);
  timelineRoutes(router, dependencies);
}
