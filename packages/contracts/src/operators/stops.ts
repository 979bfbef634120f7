import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { id, visibleText } from '../fields.ts';
import { page } from '../paging.ts';

export const stopServices = ['charges', 'withdrawals'] as const;

export type StopService = (typeof stopServices)[number];

const stoppableOrders = ['payouts', 'refunds', 'returns', 'charges'] as const;

export type StoppableOrder = (typeof stoppableOrders)[number];

/** The names of providers, as in metrics. */
const stopProviders = ['pix', 'card', 'payout'] as const;

export type StopProvider = (typeof stopProviders)[number];

/**
 * The fields of an order that decide whether a stop applies to the order. They are compared with the stops
 * before the order is sent.
 */
export interface StopSubject {
  what: StoppableOrder;
  /** The provider of the order. Null if people carry out the order, not a provider. */
  provider: StopProvider | null;
  /** The merchant of the order. Null if the order belongs to no known merchant. */
  merchantId: string | null;
}

const ways: Record<StoppableOrder, { service: StopService; providers: readonly StopProvider[] }> = {
  payouts: { service: 'withdrawals', providers: ['payout'] },
  refunds: { service: 'charges', providers: ['pix', 'card'] },
  returns: { service: 'charges', providers: ['pix', 'card'] },
  charges: { service: 'charges', providers: ['pix', 'card'] },
};

export function serviceOfStop(orderKind: StoppableOrder): StopService {
  return ways[orderKind].service;
}

const stop = z
  .object({
    id,
    service: z.enum(stopServices).meta({ description: 'Service that stores the record.' }),
    what: z.enum(stoppableOrders),
    provider: z.enum(stopProviders).nullable().meta({ description: 'Null means every provider.' }),
    merchantId: id.nullable().meta({ description: 'Null means every merchant.' }),
    reason: z.string(),
    stoppedAt: timestamp,
    stoppedBy: id.meta({ description: 'Id of the operator.' }),
    startedBy: z.array(id).meta({
      description:
        'Operators who have requested the end of the stop. With startedAt, the operators who ended it: ' +
        'two operators, or a single operator.',
    }),
    startedAt: timestamp
      .nullable()
      .meta({ description: 'Time at which the stop ended. Null means that the stop is active.' }),
  })
  .meta({ id: 'Stop' });

export type StopView = z.infer<typeof stop>;

const order = z
  .object({
    what: z.enum(stoppableOrders).meta({
      description:
        'returns: the automatic return of money that arrived too late, twice or without a matching ' +
        'charge. charges: new charges.',
    }),
    provider: z
      .enum(stopProviders)
      .optional()
      .meta({
        description:
          'Provider of the stop. Defaults to every provider. For payouts the value is payout; for all ' +
          'others it is pix or card.',
      }),
    merchantId: z
      .uuid()
      .optional()
      .meta({ description: 'Merchant of the stop. Defaults to every merchant.' }),
    reason: visibleText(500).meta({ description: 'Text for operators. Merchants do not see it.' }),
  })
  .superRefine(({ what, provider }, context) => {
    const { providers } = ways[what];
    if (provider === undefined || providers.includes(provider)) return;
    const message = `must be ${providers.join(' or ')}, where ${what} go`;
    context.addIssue({ code: 'custom', path: ['provider'], message });
  });

export type StopOrder = z.infer<typeof order>;

const filters = {
  what: z.enum(stoppableOrders).optional(),
  merchantId: z.uuid().optional(),
};

const stopQuery = z.strictObject({
  ended: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: returns the stops that have ended instead of the active stops.' }),
  ...filters,
  ...page,
});

/**
 * The query with which the gateway requests a service's newest stops, the stops after the cursor, or one stop
 * by `id`.
 */
export const stopPartQuery = z.strictObject({
  ended: z.enum(['true', 'false']).optional(),
  ...filters,
  id: z.uuid().optional(),
  newest: z.coerce.number().int().min(1).max(10_000),
  after: page.after,
});

export type StopPartQuery = z.infer<typeof stopPartQuery>;

/** The response of one service to `stopPartQuery`, newest stop first. */
export const stopPart = z.object({ total: z.int(), items: z.array(stop) });

export const stops = endpointsOf('gateway', {
  createStop: {
    route: 'POST /v1/admin/stops',
    access: finance,
    summary: 'Stop payouts, refunds, returns or new charges at once',
    description:
      'A stop covers all orders, or those of one provider, one merchant, or one merchant at one provider, ' +
      'in both environments. The check happens before an order is sent. An order that was sent earlier is ' +
      'only queried; it does not end, and its money is not returned. Waiting orders resume when the stop ' +
      'ends. New charges receive PROVIDER_UNAVAILABLE and are not stored. NOT_FOUND means that the ' +
      'merchant does not exist. SERVICE_UNAVAILABLE means that the request must be sent again.',
    body: order,
    examples: [
      {
        summary: 'A provider is compromised',
        body: { what: 'payouts', provider: 'payout', reason: 'incidente 42' },
      },
      {
        summary: 'One merchant’s refunds',
        body: {
          what: 'refunds',
          merchantId: exampleId('Merchant'),
          reason: 'conta invadida',
        },
      },
    ],
    status: 201,
    otherStatus: { status: 200, when: 'An identical stop is active already and is returned.' },
    data: stop,
    errors: ['NOT_FOUND'],
  },

  listStops: {
    route: 'GET /v1/admin/stops',
    access: everyRole,
    summary: 'List stops, newest first',
    description:
      'Page numbers reach the newest 10,000 stops; `after` reaches all of them. SERVICE_UNAVAILABLE means ' +
      'that a service did not answer and that the list would lack its stops.',
    query: stopQuery,
    data: stop,
    paged: true,
  },

  startStop: {
    route: 'POST /v1/admin/stops/:id/start',
    access: finance,
    freshFactor: true,
    summary: 'End a stop',
    description:
      'Two operators with a role that allows it must end the stop, the second within a day of the first. ' +
      'A single operator ends it alone, which triggers an alert. INVALID_STATE means that the stop ' +
      'has ended already.',
    otherStatus: {
      status: 202,
      when: 'The stop is still active. Another operator must also end it within a day.',
    },
    data: stop,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
