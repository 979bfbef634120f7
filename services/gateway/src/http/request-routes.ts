import { api, type LoggedRequestView } from '@plataforma/contracts';
import { pageOf, type Router, serveTo } from '@plataforma/http';
import { daysBefore, timeOfId } from '@plataforma/kernel';
import type { GatewayDependencies } from '../dependencies.ts';
import { listRequests, REDACTED_ID, type RequestLine } from '../store/request-log.ts';

export function requestRoutes(router: Router, dependencies: GatewayDependencies): void {
  const { reads, clock, authenticate, requestLogRetentionDays } = dependencies;
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
  const { id, environment, path, status, errorCode, errorMessage, durationMs, apiKeyId, objectId } = line;
  return {
    ...{ id, environment, path, status, errorCode, errorMessage, durationMs, apiKeyId, objectId },
    requestId: line.requestId === REDACTED_ID ? null : (line.requestId ?? id),
    method: methodOf.parse(line.method),
    parameters: [...line.parameters],
    createdAt: timeOfId(id).toISOString(),
  };
}
