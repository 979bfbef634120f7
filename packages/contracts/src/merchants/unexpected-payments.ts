import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { cents, id, nullableText, text } from '../fields.ts';
import { page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';

/** The reasons why a payment did not pay the charge that it names. */
export const unexpectedCauses = ['LATE', 'DUPLICATE', 'WRONG_AMOUNT'] as const;
export const unexpectedStatuses = ['RETURNING', 'RETURNED', 'RETURN_REFUSED'] as const;

export const unexpectedPayment = z
  .object({
    id,
    chargeId: id.meta({ description: 'Charge that the payment names and did not pay.' }),
    txid: nullableText,
    endToEndId: z
      .string()
      .meta({ description: 'Number of the Pix at the central bank, which its payer has as well.' }),
    returnEndToEndId: nullableText.meta({
      description:
        'Number of the Pix that returned the payment (`D…`, the `rtrId`). Null until the payment is ' +
        'RETURNED.',
    }),
    amount: cents,
    cause: z.enum(unexpectedCauses).meta({
      description:
        'LATE: the charge was EXPIRED or CANCELLED. DUPLICATE: the charge was paid already. WRONG_AMOUNT: ' +
        'the charge has another amount.',
    }),
    status: z.enum(unexpectedStatuses).meta({
      description:
        'RETURNED: the payer has received the money. RETURN_REFUSED: the payer’s bank does not accept the ' +
        'money, and the platform resolves the case with the bank.',
    }),
    paidAt: timestamp,
    returnedAt: timestamp.nullable(),
  })
  .meta({ id: 'UnexpectedPayment' });

const buyersUnexpectedPayment = unexpectedPayment
  .pick({ amount: true, status: true, paidAt: true, returnedAt: true })
  .meta({ id: 'CheckoutUnexpectedPayment' });

export const buyersUnexpectedPayments = z
  .array(buyersUnexpectedPayment)
  .max(5)
  .meta({
    description:
      'The newest five unexpected payments. Such money arrived too late, twice or in another amount, did ' +
      'not pay the charge, and is returned to its payer.',
  });

export type BuyersUnexpectedPaymentView = z.infer<typeof buyersUnexpectedPayment>;

export type UnexpectedPaymentView = z.infer<typeof unexpectedPayment>;

const unexpectedQuery = z
  .strictObject({
    status: z.enum(unexpectedStatuses).optional(),
    chargeId: id.optional(),
    endToEndId: text(64).optional(),
    ...period,
    locale,
    ...page,
  })
  .check(daysInZone);

export const unexpectedPaymentColumns = {
  id: csv.id('Pagamento'),
  paidAt: csv.time('Pago em'),
  status: csv.word('Situação', {
    RETURNING: 'Em devolução',
    RETURNED: 'Devolvido',
    RETURN_REFUSED: 'Devolução recusada',
  }),
  cause: csv.word('Causa', { LATE: 'Atrasado', DUPLICATE: 'Repetido', WRONG_AMOUNT: 'Valor diferente' }),
  amount: csv.money('Valor'),
  endToEndId: csv.text('ID ponta a ponta'),
  txid: csv.text('Txid'),
  chargeId: csv.id('Cobrança'),
  returnedAt: csv.time('Devolvido em'),
  returnEndToEndId: csv.text('ID ponta a ponta da devolução'),
};

export type UnexpectedPaymentQuery = z.infer<typeof unexpectedQuery>;

export const unexpectedPayments = endpointsOf('charges', {
  listUnexpectedPayments: {
    route: 'GET /v1/unexpected-payments',
    access: reads('charges:read', 'charges:write'),
    summary: 'List unexpected payments of your charges, newest first',
    description:
      'A Pix that arrives late, a second time or in another amount is never credited. It is returned to ' +
      'its payer automatically. startDate and endDate apply to its arrival here, in the sandbox by the ' +
      'sandbox’s clock. If a buyer says “I paid”, filter by endToEndId or chargeId.',
    query: unexpectedQuery,
    data: unexpectedPayment,
    paged: true,
    alsoAs: [csvFile(unexpectedPaymentColumns, 'All rows that match the filters, newest first')],
  },
} as const satisfies Record<string, Definition>);
