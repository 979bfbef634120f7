import { type Cents, toDecimal } from '@plataforma/kernel';
import { devolucaoOf, type Refund } from './refund.ts';
import { newSpiId, PAYERS_ISPB } from './spi-id.ts';

export interface Payment {
  endToEndId: string;
  clientId: string;
  /** The txid of a charge, or the reference in a static code; null if the payer's bank sent no txid. */
  txid: string | null;
  pixKey: string;
  amount: Cents;
  paidAt: Date;
  /** The refunds of the payment, in the order in which they were requested. */
  refunds: readonly Refund[];
}

/** The largest amount, in cents, that the amount format `\d{1,10}\.\d{2}` of API Pix can express. */
export const MAX_PIX_AMOUNT: Cents = 999_999_999_999;

const PAYER_NOTE = 'Pagamento de teste';
const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

export function isEndToEndId(text: string): boolean {
  return END_TO_END_ID.test(text);
}

export function newPayment(payment: Omit<Payment, 'endToEndId' | 'refunds'>): Payment {
  return { ...payment, endToEndId: newSpiId('E', PAYERS_ISPB, payment.paidAt), refunds: [] };
}

/** Returns the payment in the format of API Pix 2.9.0 (schema Pix), for answers and callbacks. */
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
