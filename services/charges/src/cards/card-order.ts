import { type Cents, normalisePhone } from '@plataforma/kernel';
import { shortened } from '../pix/pix-problem.ts';

/**
 * The fields that the acquirer needs to charge a tokenized card. `id` is the charge's id and the idempotency
 * key.
 */
export interface CardOrder {
  id: string;
  amount: Cents;
  installments: number;
  cardToken: string;
  payerName: string;
  payerDocument: string;
  payerEmail: string | null;
  payerPhone: string | null;
  statementDescriptor: string | null;
  description: string | null;
}

const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 256;

/** Builds the body of `POST /orders` of Pagar.me v5 (docs.pagar.me, "Criar pedido"). */
export function cardOrderBody(order: CardOrder) {
  const { id, amount, installments, cardToken, statementDescriptor, description } = order;
  const item = {
    amount,
    description: shortened(description ?? id, MAX_DESCRIPTION_LENGTH),
    quantity: 1,
    code: id,
  };
  const card = {
    installments,
    ...(statementDescriptor ? { statement_descriptor: statementDescriptor } : {}),
    operation_type: 'auth_and_capture',
    card_token: cardToken,
  };
  return {
    code: id,
    items: [item],
    customer: customerOf(order),
    payments: [{ payment_method: 'credit_card', credit_card: card }],
    closed: true,
  };
}

function customerOf({ payerName, payerDocument, payerEmail, payerPhone }: CardOrder) {
  const phone = phoneOf(payerPhone ?? '');
  return {
    name: shortened(payerName, MAX_NAME_LENGTH),
    document: payerDocument,
    type: payerDocument.length === 11 ? 'individual' : 'company',
    ...(payerEmail ? { email: payerEmail } : {}),
    ...(phone ? { phones: { mobile_phone: phone } } : {}),
  };
}

/** Splits a Brazilian phone number, with or without +55. The acquirer accepts no foreign numbers. */
function phoneOf(text: string) {
  const match = /^(\d{2})(\d{8,9})$/.exec(normalisePhone(text) ?? '');
  return match ? { country_code: '55', area_code: match[1], number: match[2] } : undefined;
}
