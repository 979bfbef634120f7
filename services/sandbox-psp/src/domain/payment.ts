import { type Cents, toDecimal } from '@plataforma/kernel';
import { devolucaoOf, type Refund } from './refund.ts';
import { newSpiId, PAYERS_ISPB } from './spi-id.ts';

export interface Payment {
  endToEndId: string;
  clientId: string;
  /** What the payer's bank sent along: a charge's txid, a static code's text, or nothing. */
  txid: string | null;
  pixKey: string;
  amount: Cents;
  paidAt: Date;
  /** In the order they were asked for. */
  refunds: readonly Refund[];
}

/** `\d{1,10}\.\d{2}` in cents. */
export const MAX_PIX_AMOUNT: Cents = 999_999_999_999;

/** What every payer writes. */
const PAYER_NOTE = 'Pagamento de teste';
const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

export function isEndToEndId(text: string): boolean {
  return END_TO_END_ID.test(text);
}

export function newPayment(payment: Omit<Payment, 'endToEndId' | 'refunds'>): Payment {
  return { ...payment, endToEndId: newSpiId('E', PAYERS_ISPB, payment.paidAt), refunds: [] };
}

/** The payment as API Pix 2.9.0 writes it (schema Pix), in answers and callbacks alike. */
export function pixOf({ endToEndId, txid, amount, pixKey, paidAt, refunds }: Payment) {
  return {
    endToEndId,
    ...(txid !== null && { txid }),
    valor: toDecimal(amount),
    chave: pixKey,
    horario: paidAt.toISOString(),
    infoPagador: PAYER_NOTE,
    ...(refunds.length > 0 && { devolucoes: refunds.map(devolucaoOf) }),
  };
}
