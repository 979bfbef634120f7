import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { cents, id, nullableText, page, text, timestamp } from '../fields.ts';
import { daysInZone, period } from '../period.ts';

/** Why money that names a charge paid nothing. */
export const unexpectedCauses = ['LATE', 'DUPLICATE', 'WRONG_AMOUNT'] as const;
export const unexpectedStatuses = ['RETURNING', 'RETURNED', 'RETURN_REFUSED'] as const;

export const unexpectedPayment = z
  .object({
    id,
    chargeId: id.meta({ description: 'The charge that it names, and did not pay.' }),
    txid: nullableText,
    endToEndId: z.string().meta({ description: 'Its number at the central bank, which its payer has, too.' }),
    returnEndToEndId: nullableText.meta({
      description: 'Of the Pix that returned it (`D…`, the `rtrId`); null until it is RETURNED.',
    }),
    amount: cents,
    cause: z.enum(unexpectedCauses).meta({
      description:
        'LATE: the charge was EXPIRED or CANCELLED. DUPLICATE: it was paid already. WRONG_AMOUNT: it asks for another.',
    }),
    status: z.enum(unexpectedStatuses).meta({
      description:
        'RETURNED: its payer has it again. RETURN_REFUSED: the payer’s bank does not take it back; we settle it with them.',
    }),
    paidAt: timestamp,
    returnedAt: timestamp.nullable(),
  })
  .meta({ id: 'UnexpectedPayment' });

/** The fields that a buyer may see. */
const buyersUnexpectedPayment = unexpectedPayment
  .pick({ amount: true, status: true, paidAt: true, returnedAt: true })
  .meta({ id: 'CheckoutUnexpectedPayment' });

export const buyersUnexpectedPayments = z.array(buyersUnexpectedPayment).max(5).meta({
  description:
    'Money that came and paid nothing, and goes back to who paid it: too late, twice or of another amount. The newest five.',
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
    summary: 'List money that came for your charges and paid nothing, newest first',
    description:
      'A Pix that comes late, a second time or in another amount is never credited: it goes back to its payer by itself. ' +
      'startDate and endDate are of its arrival here, in the sandbox by its clock. ' +
      'For a buyer who says “I paid”, ask by endToEndId or chargeId.',
    query: unexpectedQuery,
    data: unexpectedPayment,
    paged: true,
    alsoAs: [csvFile(unexpectedPaymentColumns, 'All that the filters leave, newest first')],
  },
} as const satisfies Record<string, Definition>);
