import type { Router } from '@plataforma/http';
import type { WebhooksParts } from '../parts.ts';
import { adminRoutes } from './admin-routes.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { timelineRoutes } from './timeline-routes.ts';

/** The routes of webhooks, beside those that every service has for operators. */
export function routes(router: Router, parts: WebhooksParts): void {
  configurationRoutes(router, parts);
  deliveryRoutes(router, parts);
  faultRoutes(router, parts);
  eventRoutes(router, parts);
  adminRoutes(router, parts);
  timelineRoutes(router, parts);
}
