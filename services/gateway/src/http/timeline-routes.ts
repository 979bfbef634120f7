import { api, timelinePart } from '@plataforma/contracts';
import { type Router, serveTo } from '@plataforma/http';
import { type AskTimeline, readTimeline } from '../operations/read-timeline.ts';
import type { AskService } from './ask-service.ts';
import type { Authenticate } from './authenticate.ts';

export interface TimelineParts {
  authenticate: Authenticate;
  askService: AskService;
}

/** What operators read of one charge or withdrawal, from all services. */
export function timelineRoutes(router: Router, { authenticate, askService }: TimelineParts): void {
  const ask: AskTimeline = (service, ids) =>
    askService(service, { path: `/internal/timeline?ids=${ids.join(',')}`, answer: timelinePart });
  serveTo(router, api.readTimeline, {
    authenticate: (req) => authenticate.operator(req, api.readTimeline),
    answer: async ({ params }) => ({ data: await readTimeline(ask, params.id) }),
  });
}
