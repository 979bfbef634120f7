import { z } from 'zod';
import { amount, installments, optionalText, text } from '../fields.ts';
import { document, payerName, phone } from '../party.ts';

/** The token in the address that a merchant sends to the one buyer of a link. */
export const buyerToken = z.uuid().optional().meta({ example: '5d2c7a90-3e41-4b8f-9c66-1f0e8d7b2a35' });

/** The body of a buyer's visit. */
export const newCheckout = z.object({
  id: z.uuidv4().optional().meta({
    description:
      'Of the visit, random, where its page makes one: a form that is sent twice begins one visit.',
    example: '0b7f2a34-6f0e-4a52-9b7d-3f6f5a1c2d3e',
  }),
  payerName: optionalText(payerName).meta({ description: 'Needed unless the link names who pays.' }),
  payerDocument: optionalText(document),
  amount: amount.optional().meta({ description: 'Cents, where the link leaves the amount open.' }),
  buyerToken: buyerToken.meta({
    description: 'The `t` of the link’s `buyerUrl`, which then leads back to this visit.',
  }),
});

/** The body of a payment by card: a token of the buyer's browser, never a card. */
export const cardPayment = z.object({
  cardToken: text(255).meta({ description: 'The id answered by the tokenization endpoint; it serves once.' }),
  installments: installments.meta({ description: 'One of those that the visit shows. Interest-free.' }),
  payerName: optionalText(payerName).meta({ description: 'The card holder, where that is not who visits.' }),
  payerDocument: optionalText(document),
  payerPhone: optionalText(phone),
});
