import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { count, id, nullableText, page, text, timestamp } from '../fields.ts';
import { wideScopes } from '../forms/new-api-key.ts';
import { daysInZone, period } from '../period.ts';

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;
const statusClasses = ['2xx', '4xx', '5xx'] as const;
const requestSources = ['key', 'session'] as const;

const request = z
  .object({
    id: id.meta({ description: 'Of this line of the log.' }),
    requestId: nullableText.meta({
      description:
        'The `X-Request-Id` of the answer: the one you sent, or else the `id`. Null: the one you sent has the shape of a document, a ' +
        'number of ten digits or more, a key or an address, and was not kept.',
      example: exampleId('Request'),
    }),
    environment: z.enum(environments),
    method: z.enum(methods),
    path: z.string().meta({
      description: 'As it was sent, but a parameter of it that is no UUID is shown by its name.',
      example: `/v1/charges/${exampleId('Charge')}/refund`,
    }),
    parameters: z.array(z.string()).meta({
      description: 'Names of the query’s parameters that the endpoint knows; their values are not kept.',
      example: ['status', 'limit'],
    }),
    status: z.int().min(100).max(599).nullable().meta({
      description: 'Null: the caller had hung up before the whole answer was sent.',
      example: 409,
    }),
    errorCode: nullableText.meta({
      description: 'The `error.code` of a refusal; null of a success, and of a file’s.',
      example: 'INVALID_STATE',
    }),
    durationMs: count.meta({ description: 'Until the answer was sent.' }),
    apiKeyId: id.nullable().meta({
      description: 'The API key that was used; null: a session of a user, such as the dashboard’s.',
    }),
    objectId: id.nullable().meta({
      description: 'The object that the path names or the request made, where one is known.',
    }),
    createdAt: timestamp.meta({ description: 'When the request came.' }),
  })
  .meta({ id: 'LoggedRequest' });

export type LoggedRequestView = z.infer<typeof request>;

const requestQuery = z
  .strictObject({
    status: z.enum(statusClasses).optional().meta({ description: 'By its first digit.', example: '4xx' }),
    method: z.enum(methods).optional(),
    path: text(200)
      .optional()
      .meta({ description: 'How the path begins, letter for letter.', example: '/v1/charges' }),
    source: z.enum(requestSources).optional().meta({
      description: 'key: requests with an API key. session: those of users, as the dashboard makes them.',
    }),
    apiKeyId: z.uuid().optional(),
    objectId: z.uuid().optional(),
    requestId: z
      .string()
      .regex(/^[\w.:-]{1,128}$/)
      .optional()
      .meta({ description: 'The `X-Request-Id` of an answer.' }),
    search: text(200).optional().meta({
      description: 'An id of a request or an object, or the beginning of a path.',
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
    // As deliveries: what is called tells of all areas.
    access: reads(...wideScopes, 'webhooks:write'),
    summary: 'List your requests to this API, newest first',
    description:
      'The requests of the last 7 days (unless configured otherwise) that carried your credentials, refused ones among them, some ' +
      'seconds late. No body, no value of a query and no address is kept. What concerns an account and no environment, such as its ' +
      'keys, is in the one that `X-Environment` named, else in the sandbox. Reads of this log are not in it, nor is what was refused ' +
      'before it was known whose it was. Under great load, above 100 requests a second, of refusals of one key that come more often ' +
      'than once a second, or while a database is away, lines may be missing: it is a help, and no record.',
    query: requestQuery,
    data: request,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
