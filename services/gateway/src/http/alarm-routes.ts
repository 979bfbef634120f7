import { pageMeta, type Router, serveTo } from '@plataforma/chassis';
import { alarmPart, api } from '@plataforma/contracts';
import { type AskAlarms, listAlarms } from '../operations/list-alarms.ts';
import type { AskService } from './ask-service.ts';
import type { Authenticate } from './authenticate.ts';

export interface AlarmParts {
  authenticate: Authenticate;
  askService: AskService;
}

/** What operators read of what providers say against the record, from all services. */
export function alarmRoutes(router: Router, { authenticate, askService }: AlarmParts): void {
  const ask: AskAlarms = (service, query) => {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) asked.set(name, String(value));
    return askService(service, { path: `/internal/alarms?${asked}`, answer: alarmPart });
  };
  serveTo(router, api.listAlarms, {
    authenticate: (req) => authenticate.operator(req, api.listAlarms),
    answer: async ({ query }) => {
      const { total, alarms } = await listAlarms(ask, query);
      return { data: alarms, meta: pageMeta(total, query) };
    },
  });
}
