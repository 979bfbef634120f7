import { type Router, serveTo } from '@plataforma/chassis';
import { api } from '@plataforma/contracts';
import { type AskTimeline, readTimeline } from '../operations/read-timeline.ts';
import type { Authenticate } from './authenticate.ts';

export interface TimelineParts {
  authenticate: Authenticate;
  askTimeline: AskTimeline;
}

/** What operators read of one charge or withdrawal, from all services. */
export function timelineRoutes(router: Router, { authenticate, askTimeline }: TimelineParts): void {
  serveTo(router, api.readTimeline, {
    authenticate: (req) => authenticate.operator(req, api.readTimeline),
    answer: async ({ params }) => ({ data: await readTimeline(askTimeline, params.id) }),
  });
}
