import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { count, id, nullableText, text } from '../fields.ts';
import { wideScopes } from '../forms/new-api-key.ts';
import { page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;
const statusClasses = ['2xx', '4xx', '5xx'] as const;
const requestSources = ['key', 'session'] as const;

const request = z
  .object({
    id: id.meta({ description: 'Id of this log entry.' }),
    requestId: nullableText.meta({
      description:
        'The `X-Request-Id` of the response: the one you sent, or otherwise the `id`. Null means that it ' +
        'was not stored, because it looks like a document, a number of ten digits or more, a key or an ' +
        'address.',
      example: exampleId('Request'),
    }),
    environment: z.enum(environments),
    method: z.enum(methods),
    path: z.string().meta({
      description: 'Path of the request. A path parameter that is not a UUID is replaced by its name.',
      example: `/v1/charges/${exampleId('Charge')}/refund`,
    }),
    parameters: z.array(z.string()).meta({
      description: 'Names of the query parameters that the endpoint accepts. Their values are not stored.',
      example: ['status', 'limit'],
    }),
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .meta({
        description:
          'Status of the response. Null means that the caller closed the connection before the whole ' +
          'response was sent.',
        example: 409,
      }),
    errorCode: nullableText.meta({
      description: 'The `error.code` of a refusal. Null for a success and for a file.',
      example: 'INVALID_STATE',
    }),
    errorMessage: nullableText.meta({
      description:
        'The `error.message` of a refusal, up to 300 characters, with documents, e-mail addresses and ' +
        'secrets masked. Null for a success, a file and entries of release 0.6.0.',
      example: 'A PENDING charge cannot be refunded',
    }),
    durationMs: count.meta({ description: 'Milliseconds until the response was sent.' }),
    apiKeyId: id.nullable().meta({
      description: 'API key of the request. Null for a user’s session, such as that of the dashboard.',
    }),
    objectId: id.nullable().meta({
      description: 'Object that the path names or the request created, if available.',
    }),
    createdAt: timestamp.meta({ description: 'Time at which the request arrived.' }),
  })
  .meta({ id: 'LoggedRequest' });

export type LoggedRequestView = z.infer<typeof request>;

const requestQuery = z
  .strictObject({
    status: z
      .enum(statusClasses)
      .optional()
      .meta({ description: 'Filter by the first digit of the status.', example: '4xx' }),
    method: z.enum(methods).optional(),
    path: text(200)
      .optional()
      .meta({ description: 'Beginning of the path, case-sensitive.', example: '/v1/charges' }),
    source: z.enum(requestSources).optional().meta({
      description:
        'key: requests with an API key. session: requests of users, such as those of the dashboard.',
    }),
    apiKeyId: z.uuid().optional(),
    objectId: z.uuid().optional(),
    requestId: z
      .string()
      .regex(/^[\w.:-]{1,128}$/)
      .optional()
      .meta({ description: 'The `X-Request-Id` of a response.' }),
    search: text(200).optional().meta({
      description: 'Id of a request or an object, or the beginning of a path.',
      example: '/v1/charges',
    }),
    ...period,
    ...page,
  })
  .check(daysInZone);

export type LoggedRequestQuery = z.infer<typeof requestQuery>;

export const requests = endpointsOf('gateway', {
  listRequests: {
    route: 'GET /v1/requests',
    // The list shows calls of all areas, so it needs the same scopes as the list of webhook deliveries.
    access: reads(...wideScopes, 'webhooks:write'),
    summary: 'List your requests to this API, newest first',
    description:
      'Returns requests of the last 7 days (unless configured otherwise) that carried your credentials, ' +
      'including refused requests. Entries appear some seconds late. The log stores no body, no query ' +
      'value and no address. A request about the account and no environment, such as its keys, is in the ' +
      'environment that `X-Environment` names, by default the sandbox. The log omits reads of the log ' +
      'itself and requests refused before authentication. Entries may be missing above 100 requests a ' +
      'second and while a database is unavailable. The same applies to refusals of one key more often ' +
      'than once a second. Use the log as an aid, not as proof.',
    query: requestQuery,
    data: request,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
