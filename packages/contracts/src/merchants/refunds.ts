import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { cents, id, nullableText } from '../fields.ts';
import { newRefund } from '../forms/new-refund.ts';
import { page, sums } from '../paging.ts';
import { daysInZone, period } from '../period.ts';
import { searchByCharge } from '../search-field.ts';
import { methods, statuses } from '../value-words.ts';
import { chargeStatuses, listedCharge, refundWaits, returned } from './charge-view.ts';

const ended = returned.omit({ origin: true, waitingFor: true });
const refund = ended
  .extend({
    chargeId: id,
    chargeAmount: cents.meta({
      description: 'Amount of the charge in cents. A smaller `amount` returns a part of the charge.',
    }),
    ...listedCharge,
  })
  .meta({ id: 'Refund' });
const access = reads('charges:read', 'charges:write', 'refunds:write');

export type RefundView = z.infer<typeof refund>;

const refundQuery = z
  .strictObject({
    status: returned.shape.status.optional(),
    chargeId: id.optional(),
    search: searchByCharge('refund'),
    ...period,
    locale,
    sums,
    ...page,
  })
  .check(daysInZone);

export const refundColumns = {
  id: csv.id('Devolução'),
  requestedAt: csv.time('Pedida em'),
  status: csv.word('Situação', statuses['pt-BR'].refund),
  amount: csv.money('Valor'),
  externalId: { ...csv.text('Pedido'), needsLocale: true },
  paymentMethod: { ...csv.word('Meio de pagamento', methods['pt-BR']), needsLocale: true },
  payerName: { ...csv.text('Pagador'), needsLocale: true },
  chargeId: csv.id('Cobrança'),
  refundedAt: csv.time('Devolvida em'),
  failureReason: csv.word('Motivo da falha', {
    insufficient_balance: 'Saldo insuficiente',
    refused_by_provider: 'Recusada pelo provedor',
  }),
  reason: csv.anyText('Motivo'),
  endToEndId: csv.text('ID ponta a ponta'),
} satisfies CsvColumns;

export type RefundQuery = z.infer<typeof refundQuery>;

export const refunds = endpointsOf('charges', {
  listRefunds: {
    route: 'GET /v1/refunds',
    access,
    summary: 'List your refunds, newest first',
    description:
      'Returns every requested refund, including failed refunds. startDate and endDate apply to the time ' +
      'of the request. GET /v1/disputes returns the amounts of lost disputes.',
    query: refundQuery,
    data: refund,
    paged: true,
    alsoAs: [csvFile(refundColumns, 'All rows that match the filters, newest first')],
  },

  getRefund: {
    route: 'GET /v1/refunds/:id',
    access,
    summary: 'Read a refund',
    description: 'Takes the id that the refund of a charge, its events and its statement rows contain.',
    data: refund,
  },

  refundCharge: {
    route: 'POST /v1/charges/:id/refund',
    access: writes('charges:write', 'refunds:write'),
    summary: 'Refund a paid charge once',
    description:
      'Debits the amount from the balance and returns it to the payer. The default amount is the net ' +
      'amount. The fee is then not returned, and the payer receives less than they paid; send the full ' +
      'amount to return everything. The response is 200 once the provider has returned the money, usually ' +
      'within seconds. A slower provider is a 202, and the charge stays PAID. The event charge.refunded ' +
      'then reports success. The event charge.refund_failed reports failure, with the money in your ' +
      'balance again. After PROVIDER_UNAVAILABLE or PROVIDER_ERROR the refund continues automatically and ' +
      'ends in the same way. Meanwhile the same request returns the current state, and a request with ' +
      'another amount is REQUEST_IN_PROGRESS. Send an Idempotency-Key. Only with it does the same request ' +
      'return the outcome of the first, including an insufficient balance or a refusal by the provider ' +
      '(REFUND_REFUSED). Use a new key for another attempt. Without a key, any request for a REFUNDED ' +
      'charge is CHARGE_NOT_REFUNDABLE, even if your own refund succeeded, because a charge is refunded ' +
      'once. After a failed refund you may request another. While the platform has paused refunds, the ' +
      'response is 202 with waitingFor.',
    body: newRefund,
    examples: [
      { summary: 'The net amount', body: {} },
      { summary: 'Part of the amount', body: { amount: 1000, reason: 'um item veio quebrado' } },
    ],
    data: z.object({
      id,
      status: z.enum(chargeStatuses),
      refundedAmount: cents,
      refundedAt: timestamp,
      refundReason: nullableText,
      refund: ended.extend({ status: z.literal('REFUNDED') }),
    }),
    otherStatus: {
      status: 202,
      when:
        'The refund is in progress and continues automatically, because the provider has not reported the ' +
        'outcome yet.',
      data: z.object({
        id,
        status: z.enum(chargeStatuses),
        refund: z.object({
          id,
          status: z.literal('PROCESSING'),
          amount: cents.meta({ description: 'Amount in cents. It has left your balance.' }),
          requestedAt: timestamp,
          waitingFor: refundWaits,
        }),
      }),
    },
    keyed: true,
    errors: [
      'CHARGE_NOT_REFUNDABLE',
      'REFUND_REFUSED',
      'REQUEST_IN_PROGRESS',
      'REFUND_NOT_SUPPORTED',
      'INSUFFICIENT_BALANCE',
      'PROVIDER_ERROR',
      'PROVIDER_UNAVAILABLE',
    ],
  },
} as const satisfies Record<string, Definition>);
