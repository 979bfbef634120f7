import { z } from 'zod';
import { amount, installments, optionalText, text } from '../fields.ts';
import { document, payerName, phone } from '../party.ts';

/**
 * The token of a payment link that only one buyer may use. The merchant sends the buyer an address that
 * contains the token.
 */
export const buyerToken = z.uuid().optional().meta({ example: '5d2c7a90-3e41-4b8f-9c66-1f0e8d7b2a35' });

export const newCheckout = z.object({
  id: z.uuidv4().toLowerCase().optional().meta({
    description:
      'Random id of the visit, if its page generates one. A form that is sent twice then begins one visit.',
    example: '0b7f2a34-6f0e-4a52-9b7d-3f6f5a1c2d3e',
  }),
  payerName: optionalText(payerName).meta({ description: 'Required unless the link names the payer.' }),
  payerDocument: optionalText(document),
  amount: amount.optional().meta({ description: 'Amount in cents, if the link leaves the amount open.' }),
  buyerToken: buyerToken.meta({
    description: 'The `t` of the link’s `buyerUrl`, which then returns to this visit.',
  }),
});

/** The body of a payment by card. It contains a token from the buyer's browser, never card data. */
export const cardPayment = z.object({
  cardToken: text(255).meta({
    description: 'Id that the tokenization endpoint returned. It can be used once.',
  }),
  installments: installments.meta({
    description:
      'Number of installments, one of those that the visit offers. Installments are interest-free.',
  }),
  payerName: optionalText(payerName).meta({
    description: 'Name of the card holder, if it differs from the visitor.',
  }),
  payerDocument: optionalText(document),
  payerPhone: optionalText(phone),
});
