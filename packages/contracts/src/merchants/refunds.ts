import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { cents, id, nullableText, page, timestamp } from '../fields.ts';
import { newRefund } from '../forms/new-refund.ts';
import { daysInZone, period } from '../period.ts';
import { methods, statuses } from '../value-words.ts';
import { chargeStatuses, refundWaits, returned } from './charge-view.ts';

const ended = returned.omit({ origin: true, waitingFor: true });
const refund = ended.extend({ chargeId: id }).meta({ id: 'Refund' });
const access = reads('charges:read', 'charges:write', 'refunds:write');

export type RefundView = z.infer<typeof refund>;

const refundQuery = z
  .strictObject({
    status: returned.shape.status.optional(),
    chargeId: id.optional(),
    ...period,
    locale,
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
  chargeId: csv.id('Cobrança'),
  refundedAt: csv.time('Devolvida em'),
  failureReason: csv.word('Motivo da falha', {
    insufficient_balance: 'Saldo insuficiente',
    refused_by_provider: 'Recusada pelo provedor',
  }),
  reason: csv.text('Motivo'),
  endToEndId: csv.text('ID ponta a ponta'),
} satisfies CsvColumns;

export type RefundQuery = z.infer<typeof refundQuery>;

export const refunds = endpointsOf('charges', {
  listRefunds: {
    route: 'GET /v1/refunds',
    access,
    summary: 'List your refunds, newest first',
    description:
      'Each one that was asked for, also those that failed. startDate and endDate are of the request. What a lost dispute ' +
      'took is in GET /v1/disputes.',
    query: refundQuery,
    data: refund,
    paged: true,
    alsoAs: [csvFile(refundColumns, 'All that the filters leave, newest first')],
  },

  getRefund: {
    route: 'GET /v1/refunds/:id',
    access,
    summary: 'Read a refund',
    description: 'By the id that the refund of a charge, its events and its rows of the statement name.',
    data: refund,
  },

  refundCharge: {
    route: 'POST /v1/charges/:id/refund',
    access: writes('charges:write', 'refunds:write'),
    summary: 'Refund a paid charge, once',
    description:
      'Takes the amount from the balance and returns it to the payer. Without an amount it is the net amount: the fee ' +
      'is not returned, and the payer gets less than was paid unless you say the full amount. The answer is 200 when the ' +
      'provider has returned the money, which is mostly within seconds. A provider that needs longer is a 202: the charge ' +
      'is PAID until the end comes as charge.refunded, or as charge.refund_failed with the money in your balance again. ' +
      'After PROVIDER_UNAVAILABLE or PROVIDER_ERROR the refund goes on by itself, and ends in the same way. The same ' +
      'request meanwhile tells how far it is, and one with another amount is REQUEST_IN_PROGRESS. Send an Idempotency-Key: only ' +
      'with it the same request tells how the first one ended, also that the balance was too low or that the provider refused it (REFUND_REFUSED); for ' +
      'another try use a new key. Without one, and for every other request, a charge that is REFUNDED is ' +
      'CHARGE_NOT_REFUNDABLE, though it may be your own refund that has happened: a charge is refunded once. After a refund ' +
      'that failed another may be asked for. While we hold refunds up the answer is 202 with waitingFor.',
    body: newRefund,
    examples: [
      { summary: 'The net amount', body: {} },
      { summary: 'A part', body: { amount: 1000, reason: 'um item veio quebrado' } },
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
      when: 'The provider has not said yet how it ends: the refund is under way and goes on by itself.',
      data: z.object({
        id,
        status: z.enum(chargeStatuses),
        refund: z.object({
          id,
          status: z.literal('PROCESSING'),
          amount: cents.meta({ description: 'It is out of your balance.' }),
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
