import { type AlarmService, type AlarmView, alarmPart, alarmServices, api } from '@plataforma/contracts';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { z } from 'zod';
import { newestOfAll } from '../operations/newest-of-all.ts';
import { type AskService, queryOf } from './ask-service.ts';
import type { Authenticate } from './authenticate.ts';

export interface AlarmParts {
  authenticate: Authenticate;
  askService: AskService;
}

const placed = z.object({ id: z.uuid(), raisedAt: z.iso.datetime() });

/** A newer release has kinds, subjects and fields that this one does not know: its alarms are shown as it wrote them. */
const anyAlarm = z.custom<AlarmView>((alarm) => placed.safeParse(alarm).success);
const anyAlarmPart = alarmPart.extend({ alarms: z.array(anyAlarm) });

/** What operators read of what providers say against the record, from all services. */
export function alarmRoutes(router: Router, { authenticate, askService }: AlarmParts): void {
  serveTo(router, api.listAlarms, {
    authenticate: (req) => authenticate.operator(req, api.listAlarms),
    answer: async ({ query }) => {
      const { page: _page, limit: _limit, ...filters } = query;
      const parts = {
        services: alarmServices,
        ask: async (service: AlarmService, newest: number) => {
          const path = `/internal/alarms?${queryOf({ ...filters, newest })}`;
          const part = await askService(service, { path, answer: anyAlarmPart });
          return part && { total: part.total, items: part.alarms };
        },
        orderOf: ({ raisedAt, id }: AlarmView) => ({ at: raisedAt, id }),
      };
      return pageOf(await newestOfAll(parts, query), query, (alarm) => alarm);
    },
  });
}
