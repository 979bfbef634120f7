import type { ServerResponse } from 'node:http';
import { api, endpoints, routeOf, schemaOf } from '@plataforma/contracts';
import { errorOf, type HttpRequest, headerOf, whenClosed } from '@plataforma/http';
import { isUuid, newId, type Tenant } from '@plataforma/kernel';
import { mask } from '@plataforma/observe';
import { z } from 'zod';
import type { RequestLog } from '../request-log.ts';
import { REDACTED_ID } from '../store/request-log.ts';
import { madeBy } from './made-by.ts';

/**
 * Adds a request to the request log when the request ends. Call it as soon as the caller's merchant is known.
 */
export type LogRequest = (req: HttpRequest, caller: Tenant & { apiKeyId: string | null }) => void;

export function createLogRequest({ add }: Pick<RequestLog, 'add'>): LogRequest {
  return (req, caller) => {
    const { res, method = '', url = '', route, startedAt = performance.now() } = req;
    const pattern = typeof route?.path === 'string' ? route.path : '';
    // Requests for the request log are not recorded, because a caller that polls the log would fill it with
    // them.
    if (!res || pattern === api.listRequests.path) return;
    const { merchantId, environment, apiKeyId } = caller;
    const { path, objectId } = describePath(pattern, url);
    const parameters = parametersIn(url, method, pattern);
    const { id, requestId } = idsOf(req, res);
    whenClosed(res, () => {
      add({
        id,
        merchantId,
        environment,
        apiKeyId,
        method,
        path,
        parameters,
        requestId,
        status: res.writableFinished ? res.statusCode : null,
        errorCode: errorOf(res)?.code ?? null,
        errorMessage: storable(errorOf(res)?.message ?? ''),
        durationMs: Math.round(performance.now() - startedAt),
        objectId: objectId ?? madeBy(res) ?? null,
      });
    });
  };
}

/** Returns a message without documents, secrets and control characters. Messages are at most 300 characters long. */
function storable(message: string): string {
  return mask(message)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 300);
}

/**
 * Returns the ids for a line of the request log. A request id that the caller chose cannot be the line's id,
 * because it may repeat and contains no time.
 */
function idsOf(req: HttpRequest, res: ServerResponse): { id: string; requestId: string | null } {
  const requestId = String(res.getHeader('X-Request-Id'));
  if (headerOf(req, 'x-request-id') !== requestId) return { id: requestId, requestId: null };
  const isStorable = isUuid(requestId) || mask(requestId) === requestId;
  return { id: newId(), requestId: isStorable ? requestId : REDACTED_ID };
}

/**
 * Returns the path of a request for the log. UUIDs are shown. Any other parameter is replaced by its name,
 * because its value could be personal data.
 */
function describePath(pattern: string, url: string): { path: string; objectId: string | undefined } {
  if (!pattern.includes(':')) return { path: pattern, objectId: undefined };
  const sent = url.replace(/[?#].*$/s, '').split('/');
  const named = pattern.split('/').map((part, at) => {
    const text = sent[at] ?? '';
    return part.startsWith(':') && isUuid(text) ? { part: text, id: text } : { part };
  });
  return {
    path: named.map(({ part }) => part).join('/'),
    objectId: named.find(({ id }) => id !== undefined)?.id,
  };
}

const parametersByRoute = new Map(
  endpoints.map((endpoint) => {
    const query = schemaOf(endpoint, 'query');
    const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
    return [routeOf(endpoint), names];
  }),
);

const NONE: readonly string[] = [];

/**
 * Returns the names of those query parameters that the endpoint declares. Other names could be personal data.
 */
function parametersIn(url: string, method: string, pattern: string): readonly string[] {
  const start = url.indexOf('?');
  if (start === -1) return NONE;
  const sent = new URLSearchParams(url.slice(start));
  return (parametersByRoute.get(`${method === 'HEAD' ? 'GET' : method} ${pattern}`) ?? []).filter((name) =>
    sent.has(name),
  );
}
