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
import { id, metadata, text } from '../fields.ts';
import { newCharge, newChargeExamples } from '../forms/new-charge.ts';
import { integerParam, page, sums } from '../paging.ts';
import { document } from '../party.ts';
import { daysInZone, period } from '../period.ts';
import { searchField } from '../search-field.ts';
import { methods, statuses } from '../value-words.ts';
import { charge, chargeInList, chargeStatuses, checkout, paymentMethods } from './charge-view.ts';

const cents = integerParam(0).meta({ description: 'Amount in cents.', example: 2500 });

const chargeQuery = z
  .strictObject({
    status: z.enum(chargeStatuses).optional(),
    paymentMethod: z.enum(paymentMethods).optional(),
    externalId: text(64).optional().meta({
      description:
        'Returns all charges of this order number. At most one of them is neither EXPIRED nor CANCELLED.',
    }),
    search: searchField(
      'a complete id, txid, externalId or endToEndId, the last 8 characters of one, or the payer’s ' +
        'document or e-mail',
      'the payer’s name and of the externalId',
    ),
    minAmount: cents.optional(),
    maxAmount: cents.optional(),
    payerDocument: document.optional(),
    endToEndId: text(64).optional().meta({ description: 'Number of the Pix payment at the central bank.' }),
    paymentLinkId: id.optional().meta({ description: 'Only charges that a payment link created.' }),
    metadata: metadata.optional().meta({
      description:
        'Filter of the form `metadata[name]=value`, once for each name. All of them must match. At most ' +
        '10000 charges are counted.',
      param: { style: 'deepObject', explode: true },
    }),
    ...period,
    locale,
    sums,
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
  status: csv.word('Situação', { ...statuses['pt-BR'].charge, PARTLY_REFUNDED: 'Devolvida em parte' }),
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
  acquirerId: { ...csv.text('ID na adquirente'), needsLocale: true },
} as const satisfies CsvColumns;

export const charges = endpointsOf('charges', {
  createCharge: {
    route: 'POST /v1/charges',
    access: movesMoney('charges:write'),
    summary: 'Create a charge',
    description:
      'A Pix charge is returned PENDING with its dynamic code. A card charge is returned PAID, or refused ' +
      'with CARD_DECLINED and a reason (insufficient_funds, expired_card, suspected_fraud, …). The ' +
      'externalId makes a retry safe. A request with the same amount, paymentMethod, payerName, ' +
      'payerDocument and installments returns the existing charge (200); other fields are not compared. ' +
      'If one of these fields differs, the response is EXTERNAL_ID_CONFLICT, and its message names the ' +
      'fields. The externalId of an EXPIRED or CANCELLED charge is free for a new charge (201). The ' +
      'externalId of a declined card is free for another cardToken; the same cardToken returns the same ' +
      'decline. After PROVIDER_UNAVAILABLE send the same request again. Its response reports the outcome ' +
      'of the first request. Meanwhile a Pix charge exists as PENDING without a code. It receives its ' +
      'code with that retry, or automatically within a minute after its provider recovers. A card payment ' +
      'that no request repeats for fifteen minutes is voided. An Idempotency-Key protects more: the same ' +
      'request returns the first response again, including a decline, and no card is charged. Use a new ' +
      'key for another attempt with the card.',
    body: newCharge,
    examples: newChargeExamples,
    status: 201,
    otherStatus: { status: 200, when: 'A charge with this externalId exists already and is returned.' },
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
      'Filters are combined. The total is exact, but with `search` and `metadata` at most 10000 charges ' +
      'are counted (`meta.totalIsCapped`). Filters by status, method and days take the same time for any ' +
      'number of charges. Filters by amount scan the index of all charges that the other filters select, ' +
      'so combine them with a period.',
    query: chargeQuery,
    data: chargeInList,
    paged: true,
    alsoAs: [csvFile(chargeColumns, 'All rows that match the filters, newest first')],
  },

  getCardConfig: {
    route: 'GET /v1/charges/card-config',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read the card tokenization settings',
    description:
      'Returns the URL and the public key with which the buyer’s browser tokenizes a card. Read both when ' +
      'you need them, because both may change. Card charges need cardEnabled, which the platform sets; in ' +
      'the sandbox it is always true.',
    data: z
      .object({
        publicKey: z.string(),
        maxInstallments: z.int().min(1).max(18),
        tokenizeUrl: z.string().meta({
          description: 'Address for card tokenization. POST the card to it with `?appId=publicKey`.',
        }),
        cardEnabled: z.boolean(),
      })
      .meta({ id: 'CardConfig' }),
    errors: ['PROVIDER_UNAVAILABLE'],
  },

  getCharge: {
    route: 'GET /v1/charges/:id',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read a charge',
    description: 'Use it to confirm a payment when no webhook arrived.',
    data: charge,
  },

  getCheckout: {
    route: 'GET /v1/charges/:id/checkout',
    access: anonymous,
    summary: 'Read the public view of a charge',
    description:
      'Every caller with the id may read it, from any web page. The Pix code appears only while the ' +
      'charge is PENDING.',
    data: checkout,
    cost: BUYERS_READ,
    openToBrowsers: true,
  },

  cancelCharge: {
    route: 'DELETE /v1/charges/:id',
    access: writes('charges:write'),
    summary: 'Cancel a pending charge',
    description:
      'Cancels the charge at the provider first. If the charge was paid meanwhile, the response is ' +
      'CHARGE_NOT_CANCELLABLE.',
    data: z.object({ message: z.string() }),
    errors: ['CHARGE_NOT_CANCELLABLE', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },
} as const satisfies Record<string, Definition>);
