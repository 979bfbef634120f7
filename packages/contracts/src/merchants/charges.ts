import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import {
  anonymous,
  BUYERS_READ,
  type Definition,
  endpointsOf,
  movesMoney,
  reads,
  writes,
} from '../endpoint.ts';
import { id, integerParam, metadata, page, text } from '../fields.ts';
import { newCharge, newChargeExamples } from '../forms/new-charge.ts';
import { document } from '../party.ts';
import { daysInZone, period } from '../period.ts';
import { methods, statuses } from '../value-words.ts';
import { charge, chargeInList, chargeStatuses, checkout, paymentMethods } from './charge-view.ts';

const cents = integerParam(0).meta({ description: 'Cents.', example: 2500 });

const chargeQuery = z
  .strictObject({
    status: z.enum(chargeStatuses).optional(),
    paymentMethod: z.enum(paymentMethods).optional(),
    externalId: text(64)
      .optional()
      .meta({ description: 'All charges of it: at most one of them is neither EXPIRED nor CANCELLED.' }),
    search: text(255)
      .optional()
      .meta({
        description:
          'The whole id, txid, externalId or endToEndId of a charge, or the last 8 characters of one; or, of letters and ' +
          'blanks only, a part of the payer’s name in any case.',
      }),
    minAmount: cents.optional(),
    maxAmount: cents.optional(),
    payerDocument: document.optional(),
    endToEndId: text(64).optional().meta({ description: 'The Pix payment’s number at the central bank.' }),
    paymentLinkId: id.optional().meta({ description: 'Those that a payment link has made.' }),
    metadata: metadata.optional().meta({
      description:
        'As `metadata[name]=value`, once for each name: all of them must be so. More than 10000 are not counted.',
      param: { style: 'deepObject', explode: true },
    }),
    ...period,
    locale,
    ...page,
  })
  .check(daysInZone)
  .refine(({ minAmount = 0, maxAmount = Number.POSITIVE_INFINITY }) => minAmount <= maxAmount, {
    path: ['minAmount'],
    error: 'must not be above maxAmount',
  });

export type ChargeQuery = z.infer<typeof chargeQuery>;

export const chargeColumns = {
  id: csv.id('Cobrança'),
  createdAt: csv.time('Criada em'),
  status: csv.word('Situação', statuses['pt-BR'].charge),
  paymentMethod: csv.word('Meio de pagamento', methods['pt-BR']),
  amount: csv.money('Valor'),
  feeAmount: csv.money('Tarifa'),
  netAmount: csv.money('Líquido'),
  externalId: csv.text('Pedido'),
  txid: csv.text('Txid'),
  endToEndId: csv.text('ID ponta a ponta'),
  payerName: csv.text('Pagador'),
  payerDocument: csv.text('CPF/CNPJ do pagador'),
  payerEmail: csv.text('E-mail do pagador'),
  description: csv.text('Descrição'),
  paidAt: csv.time('Paga em'),
  settlesAt: csv.time('Disponível em'),
  expiresAt: csv.time('Expira em'),
  refundedAmount: csv.cents('Devolvido'),
  refundedAt: csv.time('Devolvida em'),
  refundReason: csv.anyText('Motivo da devolução'),
  installments: csv.number('Parcelas'),
  cardBrand: csv.text('Bandeira'),
  cardLastDigits: csv.text('Final do cartão'),
  nsu: { ...csv.text('NSU'), needsLocale: true },
  authorizationCode: { ...csv.text('Código de autorização'), needsLocale: true },
  acquirerId: { ...csv.text('ID no adquirente'), needsLocale: true },
} as const satisfies CsvColumns;

export const charges = endpointsOf('charges', {
  createCharge: {
    route: 'POST /v1/charges',
    access: movesMoney('charges:write'),
    summary: 'Create a charge',
    description:
      'A Pix charge comes back PENDING with its dynamic code; a card charge comes back PAID, or is CARD_DECLINED with ' +
      'the reason (insufficient_funds, expired_card, suspected_fraud, …). The externalId makes it safe to send again: ' +
      'with the same amount, paymentMethod, payerName, payerDocument and installments the answer is the charge there is ' +
      '(200), whatever the other fields say; another of these is an EXTERNAL_ID_CONFLICT, whose message names them. The ' +
      'externalId of a charge that is EXPIRED or CANCELLED is free for a new one (201). So is that of a declined card, ' +
      'for another cardToken; with the same one the answer is the same decline. After ' +
      'PROVIDER_UNAVAILABLE send the same request: the answer is then the truth about the first one. A Pix charge is there ' +
      'meanwhile, PENDING without a code, and gets its code by that, or by itself within a minute of its provider’s return. A card payment ' +
      'nobody asks about again for fifteen minutes is voided. An Idempotency-Key goes further: the same request has the ' +
      'first answer again, a decline too, and no card is charged; for another try with the card use a new key.',
    body: newCharge,
    examples: newChargeExamples,
    status: 201,
    otherStatus: { status: 200, when: 'The charge with this externalId exists already: here it is.' },
    data: charge,
    keyed: true,
    warnsInSandbox: true,
    errors: [
      'CARD_DECLINED',
      'CARD_NOT_ENABLED',
      'EXTERNAL_ID_CONFLICT',
      'PROVIDER_ERROR',
      'PROVIDER_UNAVAILABLE',
    ],
  },

  listCharges: {
    route: 'GET /v1/charges',
    access: reads('charges:read', 'charges:write'),
    summary: 'List charges, newest first',
    description:
      'Filters narrow each other, and total is exact, but of `search` and `metadata` no more than 10000 are counted ' +
      '(`meta.totalIsCapped`). Those by status, method and days cost the same however many charges there are; amounts read ' +
      'the index of all that the others leave: give them a period.',
    query: chargeQuery,
    data: chargeInList,
    paged: true,
    alsoAs: [csvFile(chargeColumns, 'All that the filters leave, newest first')],
  },

  getCardConfig: {
    route: 'GET /v1/charges/card-config',
    access: reads('charges:read', 'charges:write'),
    summary: 'Where and with which key the buyer’s browser tokenizes a card',
    description:
      'Read them when you need them; both may change. Charges need cardEnabled, which we set; in the sandbox it is always true.',
    data: z
      .object({
        publicKey: z.string(),
        maxInstallments: z.int().min(1).max(18),
        tokenizeUrl: z.string().meta({ description: 'POST the card here with `?appId=publicKey`.' }),
        cardEnabled: z.boolean(),
      })
      .meta({ id: 'CardConfig' }),
    errors: ['PROVIDER_UNAVAILABLE'],
  },

  getCharge: {
    route: 'GET /v1/charges/:id',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read a charge',
    description: 'The way to be sure of a payment when no webhook came.',
    data: charge,
  },

  getCheckout: {
    route: 'GET /v1/charges/:id/checkout',
    access: anonymous,
    summary: 'What a checkout page shows of a charge',
    description:
      'Every caller who has the id may read it, and any web page. Its code is shown only while it is PENDING.',
    data: checkout,
    cost: BUYERS_READ,
    openToBrowsers: true,
  },

  cancelCharge: {
    route: 'DELETE /v1/charges/:id',
    access: writes('charges:write'),
    summary: 'Cancel a pending charge',
    description:
      'Cancelled at the provider first. A charge that was paid meanwhile is CHARGE_NOT_CANCELLABLE.',
    data: z.object({ message: z.string() }),
    errors: ['CHARGE_NOT_CANCELLABLE', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },
} as const satisfies Record<string, Definition>);
