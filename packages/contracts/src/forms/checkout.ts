import { z } from 'zod';
import { amount, document, installments, payerName, phone, text } from '../fields.ts';

/** The body of a buyer's visit. */
export const newCheckout = z.object({
  payerName: payerName.optional().meta({ description: 'Needed unless the link names who pays.' }),
  payerDocument: document.optional(),
  amount: amount.optional().meta({ description: 'Cents, where the link leaves the amount open.' }),
});

/** The body of a payment by card: a token of the buyer's browser, never a card. */
export const cardPayment = z.object({
  cardToken: text(255).meta({ description: 'The id answered by the tokenization endpoint; it serves once.' }),
  installments: installments.meta({ description: 'One of those that the visit shows. Interest-free.' }),
  payerName: payerName.optional().meta({ description: 'The card holder, where that is not who visits.' }),
  payerDocument: document.optional(),
  payerPhone: phone.optional(),
});
