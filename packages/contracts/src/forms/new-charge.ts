import { z } from 'zod';
import { amount, installments, metadata, optionalText, text, visibleText } from '../fields.ts';
import { document, email, payerName, phone } from '../party.ts';

const DEFAULT_EXPIRY_SECONDS = 3600;
const MAX_EXPIRY_SECONDS = 2_592_000;

const order = {
  amount,
  externalId: text(64).meta({
    description:
      'Your order number. A repeated request for the same order returns the same charge until that charge ' +
      'is EXPIRED or CANCELLED.',
    example: 'order-1001',
  }),
  payerName,
  payerDocument: document,
  description: optionalText(visibleText(255)),
  payerEmail: optionalText(email),
  metadata: metadata.optional().meta({
    description:
      'At most 20 names and texts of your own. They are stored with the charge and included in its ' +
      'webhooks. They must not identify a person or contain a card number. A name that ends in Id holds ' +
      'an id, which may be any number.',
  }),
};

const newPixCharge = z
  .object({
    paymentMethod: z.literal('PIX').optional(),
    ...order,
    expiresIn: z
      .int()
      .min(1)
      .max(MAX_EXPIRY_SECONDS)
      .default(DEFAULT_EXPIRY_SECONDS)
      .meta({ description: 'Seconds until the charge expires.' }),
  })
  .meta({ id: 'NewPixCharge' });

const newCardCharge = z
  .object({
    paymentMethod: z.literal('CARD'),
    ...order,
    cardToken: text(255).meta({
      description: 'Id that the tokenization endpoint returned. It can be used once.',
    }),
    installments: installments.meta({
      description: 'At most maxInstallments of card-config. Installments are interest-free.',
    }),
    statementDescriptor: optionalText(visibleText(13)).meta({
      description: 'Text on the cardholder’s statement.',
    }),
    payerPhone: optionalText(phone),
  })
  .meta({ id: 'NewCardCharge' });

export const newCharge = z
  .discriminatedUnion('paymentMethod', [newPixCharge, newCardCharge], { error: 'must be PIX or CARD' })
  .meta({ id: 'NewCharge' });

export const newChargeExamples = [
  {
    summary: 'Pix, to be paid within half an hour',
    body: {
      amount: 2500,
      externalId: 'order-1001',
      payerName: 'Maria da Silva',
      payerDocument: '123.456.789-09',
      description: 'Pedido 1001',
      metadata: { loja: 'matriz', vendedor: '17' },
      expiresIn: 3600,
    },
  },
  {
    summary: 'Card, in three installments',
    body: {
      paymentMethod: 'CARD',
      cardToken: 'token_Kx81mVnQ2pLw7YtB',
      amount: 30000,
      externalId: 'order-1002',
      payerName: 'Maria da Silva',
      payerDocument: '123.456.789-09',
      installments: 3,
      statementDescriptor: 'LOJADOZE',
      payerPhone: '11987654321',
    },
  },
] as const;
