import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { id, page, timestamp, visibleText } from '../fields.ts';

export const stopServices = ['charges', 'withdrawals'] as const;

export type StopService = (typeof stopServices)[number];

/** Orders that a stop holds up. */
const stoppableOrders = ['payouts', 'refunds', 'returns', 'charges'] as const;

export type StoppableOrder = (typeof stoppableOrders)[number];

/** As metrics call them. */
const stopProviders = ['pix', 'card', 'payout'] as const;

export type StopProvider = (typeof stopProviders)[number];

/** An order that is about to leave, as far as a stop may name it. */
export interface StopSubject {
  what: StoppableOrder;
  /** Null: people carry it out. */
  provider: StopProvider | null;
  /** Null: it belongs to no merchant that is known. */
  merchantId: string | null;
}

/** The service that sends each kind of order, and its providers. */
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
    service: z.enum(stopServices).meta({ description: 'Where it is kept.' }),
    what: z.enum(stoppableOrders),
    provider: z.enum(stopProviders).nullable().meta({ description: 'Null: every provider.' }),
    merchantId: id.nullable().meta({ description: 'Null: every merchant.' }),
    reason: z.string(),
    stoppedAt: timestamp,
    stoppedBy: id.meta({ description: 'The operator.' }),
    startedBy: z.array(id).meta({
      description:
        'Who has asked to start it again. With startedAt: who has started it, two operators or the only active one.',
    }),
    startedAt: timestamp.nullable().meta({ description: 'Null: it holds.' }),
  })
  .meta({ id: 'Stop' });

export type StopView = z.infer<typeof stop>;

const order = z
  .object({
    what: z.enum(stoppableOrders).meta({
      description:
        'returns: money that goes back by itself, as it came too late, twice or for nothing that is known. charges: new ones.',
    }),
    provider: z
      .enum(stopProviders)
      .optional()
      .meta({ description: 'Every provider when left out. payouts: payout. All others: pix or card.' }),
    merchantId: z.uuid().optional().meta({ description: 'Every merchant when left out.' }),
    reason: visibleText(500).meta({ description: 'For operators; no merchant reads it.' }),
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
    .meta({ description: 'true: those that were started again, instead of those that hold.' }),
  ...filters,
  ...page,
});

/** The gateway's query to a service: its newest behind the cursor, at most a page, or one by id. */
export const stopPartQuery = z.strictObject({
  ended: z.enum(['true', 'false']).optional(),
  ...filters,
  id: z.uuid().optional(),
  newest: z.coerce.number().int().min(1).max(10_000),
  after: page.after,
});

export type StopPartQuery = z.infer<typeof stopPartQuery>;

/** A service's answer, newest first. */
export const stopPart = z.object({ total: z.int(), items: z.array(stop) });

export const stops = endpointsOf('gateway', {
  createStop: {
    route: 'POST /v1/admin/stops',
    access: finance,
    summary: 'Stop payouts, refunds, returns or new charges at once',
    description:
      'Of everybody, one provider, one merchant, or one merchant at one provider, in both environments. It is asked where ' +
      'an order leaves: an order that has left is only asked about, and nothing ends or is given back. What waits goes on ' +
      'by itself once it is started again; new charges are answered PROVIDER_UNAVAILABLE and are not stored. NOT_FOUND: ' +
      'there is no such merchant. SERVICE_UNAVAILABLE: send it again.',
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
    otherStatus: { status: 200, when: 'The same is stopped already: the stop that holds it.' },
    data: stop,
    errors: ['NOT_FOUND'],
  },

  listStops: {
    route: 'GET /v1/admin/stops',
    access: everyRole,
    summary: 'List what is stopped, newest first',
    description:
      'By number the newest 10,000 can be read, by `after` all. SERVICE_UNAVAILABLE: a service did not answer, and the list would lack its stops.',
    query: stopQuery,
    data: stop,
    paged: true,
  },

  startStop: {
    route: 'POST /v1/admin/stops/:id/start',
    access: finance,
    summary: 'Start again what a stop holds up',
    description:
      'It takes two operators whose role allows it, the second within a day of the first. The only active one starts it ' +
      'alone, which is an alert. Nothing more to do: INVALID_STATE.',
    otherStatus: { status: 202, when: 'It still holds: another operator must start it, too, within a day.' },
    data: stop,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
