import { api, type LoggedRequestView } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { type Clock, daysBefore, timeOfId } from '@plataforma/kernel';
import { listRequests, NOT_KEPT, type RequestLine } from '../store/request-log.ts';
import type { Authenticate } from './authenticate.ts';

export interface RequestParts {
  reads: Queryable;
  clock: Clock;
  authenticate: Authenticate;
  requestLogRetentionDays: number;
}

export function requestRoutes(router: Router, parts: RequestParts): void {
  const { reads, clock, authenticate, requestLogRetentionDays } = parts;
  serveTo(router, api.listRequests, {
    authenticate: (req) => authenticate.merchant(req, api.listRequests),
    answer: async ({ query }, merchant) => {
      const since = daysBefore(clock(), requestLogRetentionDays);
      return pageOf(await listRequests(reads, merchant, { ...query, since }), query, viewOf);
    },
  });
}

const methodOf = api.listRequests.data.shape.method;

function viewOf(line: RequestLine): LoggedRequestView {
  const { id, environment, path, status, errorCode, durationMs, apiKeyId, objectId } = line;
  return {
    ...{ id, environment, path, status, errorCode, durationMs, apiKeyId, objectId },
    requestId: line.requestId === NOT_KEPT ? null : (line.requestId ?? id),
    method: methodOf.parse(line.method),
    parameters: [...line.parameters],
    createdAt: timeOfId(id).toISOString(),
  };
}
