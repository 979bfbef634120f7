import {
  type AlarmService,
  type AlarmView,
  alarmPart,
  alarmServices,
  api,
  deadLetters,
  timelinePart,
} from '@plataforma/contracts';
import { pageOf, type Router } from '@plataforma/http';
import { deadLetterRoutes } from '@plataforma/messaging';
import { listAudit } from '@plataforma/tables';
import { z } from 'zod';
import type { GatewayDependencies } from '../dependencies.ts';
import { newestOfAll } from '../operations/newest-of-all.ts';
import { readMerchantRecords } from '../operations/read-merchant-records.ts';
import { readTimeline } from '../operations/read-timeline.ts';
import { queryOf } from './ask-service.ts';
import { serveOperator } from './serve.ts';

const placed = z.object({ id: z.uuid(), raisedAt: z.iso.datetime() });

/**
 * Alarms are passed on unchecked, because a newer release of a service may have kinds and fields that this
 * gateway does not know.
 */
const anyAlarm = z.custom<AlarmView>((alarm) => placed.safeParse(alarm).success);
const anyAlarmPart = alarmPart.extend({ alarms: z.array(anyAlarm) });

/** Serves the gateway's own audit log and dead letters, and the alarms and timelines of all services. */
export function recordRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { database, authenticate, askService } = dependencies;
  for (const endpoint of [api.listAuditLog, api.listAuditLogOfGateway]) {
    serveOperator(router, endpoint, dependencies, async ({ query }) =>
      pageOf(await listAudit(database, query), query, (row) => row),
    );
  }
  deadLetterRoutes(router, {
    ...dependencies,
    endpoints: deadLetters.gateway,
    operatorOf: async (req, endpoint) => ({ operatorId: (await authenticate.operator(req, endpoint)).sub }),
  });
  serveOperator(router, api.listAlarms, dependencies, async ({ query }) => {
    const { page: _page, limit: _limit, ...filters } = query;
    const lists = {
      services: alarmServices,
      ask: async (service: AlarmService, newest: number) => {
        const path = `/internal/alarms?${queryOf({ ...filters, newest })}`;
        const part = await askService(service, { path, answer: anyAlarmPart });
        return part && { total: part.total, items: part.alarms };
      },
      orderOf: ({ raisedAt, id }: AlarmView) => ({ at: raisedAt, id }),
    };
    return pageOf(await newestOfAll(lists, query), query, (alarm) => alarm);
  });
  serveOperator(router, api.readTimeline, dependencies, async ({ params }) => ({
    data: await readTimeline(
      {
        ask: (service, ids) =>
          askService(service, { path: `/internal/timeline?ids=${ids.join(',')}`, answer: timelinePart }),
        readMerchant: (id) => readMerchantRecords(database, id),
      },
      params.id,
    ),
  }));
}
