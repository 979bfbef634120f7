import { environments, isUuid, MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { chargeInList, chargeStatuses, paymentMethods } from './charges.ts';
import { dispute, disputeInList, disputeStatuses } from './disputes.ts';
import { type Endpoint, operators } from './endpoint.ts';
import { id, idParams, noQuery, nothing, page, text, timestamp } from './fields.ts';

const service = 'charges' as const;
const everyRole = operators('ADMIN', 'FINANCE', 'SUPPORT');
const finance = operators('ADMIN', 'FINANCE');

/** Whose it is: operators see all merchants and both environments. */
const owner = { merchantId: id, environment: z.enum(environments) };
const ofOwner = {
  merchantId: z.uuid().optional(),
  environment: z.enum(environments).optional(),
};

const adminCharge = chargeInList.extend(owner).meta({ id: 'AdminCharge' });

export type AdminChargeView = z.infer<typeof adminCharge>;

const refundStatuses = ['REQUESTED', 'DEBITED', 'ACCEPTED', 'DONE', 'REFUSED'] as const;

const refund = z
  .object({
    id,
    chargeId: id,
    amount: z.int(),
    reason: z.string().nullable(),
    status: z.enum(refundStatuses).meta({
      description:
        'DEBITED: the provider has not confirmed it yet. ACCEPTED: it is on its way to the payer. REFUSED: see failure.',
    }),
    failure: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Refund' });

export type RefundView = z.infer<typeof refund>;

const adminDispute = dispute.extend(owner).meta({ id: 'AdminDispute' });

export type AdminDisputeView = z.infer<typeof adminDispute>;

const adminDisputeInList = disputeInList.extend(owner).meta({ id: 'AdminDisputeInList' });

export type AdminDisputeInListView = z.infer<typeof adminDisputeInList>;

const unexpectedPayment = z
  .object({
    id,
    merchantId: id.nullable(),
    environment: z.enum(environments),
    chargeId: id.nullable(),
    txid: z.string().nullable(),
    endToEndId: z.string(),
    amount: z.int(),
    cause: z.enum(['LATE', 'DUPLICATE', 'WRONG_AMOUNT', 'UNKNOWN_CHARGE']),
    status: z.enum(['RETURNING', 'RETURNED', 'RETURN_REFUSED']),
    attempts: z.int(),
    failure: z.string().nullable(),
    paidAt: timestamp,
    returnedAt: timestamp.nullable(),
  })
  .meta({ id: 'UnexpectedPayment' });

export type UnexpectedPaymentView = z.infer<typeof unexpectedPayment>;

const chargeQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(chargeStatuses).optional(),
  paymentMethod: z.enum(paymentMethods).optional(),
  search: text(64).optional().meta({ description: 'An id, txid, externalId or endToEndId, in full.' }),
  ...page,
});

export type AdminChargeQuery = z.infer<typeof chargeQuery>;

export const listAllCharges = {
  method: 'get',
  path: '/v1/admin/charges',
  service,
  access: everyRole,
  summary: 'List the charges of all merchants, newest first',
  params: nothing,
  query: chargeQuery,
  body: nothing,
  status: 200,
  data: adminCharge,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const inspectCharge = {
  method: 'get',
  path: '/v1/admin/charges/:id',
  service,
  access: everyRole,
  summary: 'Read a charge with its refunds, disputes and unexpected payments',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: adminCharge
    .extend({
      refunds: z.array(refund),
      disputes: z.array(adminDispute),
      unexpectedPayments: z.array(unexpectedPayment),
    })
    .meta({ id: 'InspectedCharge' }),
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

export const openDispute = {
  method: 'post',
  path: '/v1/admin/disputes',
  service,
  access: finance,
  summary: 'Open a dispute on a paid charge',
  description: 'The amount is cut to what of the charge was not returned yet; left out, it is all of that.',
  params: nothing,
  query: noQuery,
  body: z
    .object({
      chargeId: z.string().refine(isUuid, 'must be a charge’s id'),
      amount: z.int().min(1).max(MAX_AMOUNT).optional(),
      reason: text(255),
      description: text(255),
      deadline: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: 'In seven days when left out.' }),
    })
    .meta({
      examples: [
        {
          chargeId: '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
          amount: 9_900,
          reason: 'FRAUD',
          description: 'O titular não reconhece a compra.',
        },
      ],
    }),
  status: 201,
  data: adminDispute,
  keyed: true,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'REQUEST_IN_PROGRESS'],
} as const satisfies Endpoint;

const disputeQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(disputeStatuses).optional(),
  overdue: z
    .enum(['true'])
    .optional()
    .meta({ description: 'Only undecided ones whose deadline has passed.' }),
  ...page,
});

export type AdminDisputeQuery = z.infer<typeof disputeQuery>;

export const listAllDisputes = {
  method: 'get',
  path: '/v1/admin/disputes',
  service,
  access: everyRole,
  summary: 'List the disputes of all merchants, newest first',
  description: 'The documents of the evidence are counted here; the charge of a dispute shows them.',
  params: nothing,
  query: disputeQuery,
  body: nothing,
  status: 200,
  data: adminDisputeInList,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const resolveDispute = {
  method: 'post',
  path: '/v1/admin/disputes/:id/resolve',
  service,
  access: finance,
  summary: 'End a dispute',
  description:
    'MERCHANT: won, the charge is PAID again. CUSTOMER: lost, it is REFUNDED. CANCELLED counts as won.',
  params: idParams,
  query: noQuery,
  body: z.object({ outcome: z.enum(['MERCHANT', 'CUSTOMER', 'CANCELLED']), resolution: text(255) }).meta({
    examples: [{ outcome: 'MERCHANT', resolution: 'A entrega foi comprovada.' }],
  }),
  status: 200,
  data: adminDispute,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
} as const satisfies Endpoint;

const unexpectedQuery = z.strictObject({
  ...ofOwner,
  status: unexpectedPayment.shape.status.optional(),
  ...page,
});

export type UnexpectedPaymentQuery = z.infer<typeof unexpectedQuery>;

export const listUnexpectedPayments = {
  method: 'get',
  path: '/v1/admin/unexpected-payments',
  service,
  access: everyRole,
  summary: 'List money that came and paid nothing, newest first',
  description:
    'Late, second, of another amount, or for no charge of ours: returned to its payer by itself. While the service runs ' +
    'with `UNEXPECTED_PAYMENTS=hold`, after a restore, it stays `RETURNING` and nothing is sent.',
  params: nothing,
  query: unexpectedQuery,
  body: nothing,
  status: 200,
  data: unexpectedPayment,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

const refundQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(refundStatuses).optional(),
  ...page,
});

export type RefundQuery = z.infer<typeof refundQuery>;

export const listRefunds = {
  method: 'get',
  path: '/v1/admin/refunds',
  service,
  access: everyRole,
  summary: 'List refunds, newest first',
  params: nothing,
  query: refundQuery,
  body: nothing,
  status: 200,
  data: refund,
  paged: true,
  errors: [],
} as const satisfies Endpoint;
