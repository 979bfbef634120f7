import { randomInt } from 'node:crypto';
import { type Cents, toDecimal } from '@plataforma/kernel';

export interface Payment {
  endToEndId: string;
  clientId: string;
  txid: string;
  pixKey: string;
  amount: Cents;
  paidAt: Date;
}

/** `\d{1,10}\.\d{2}` in cents. */
export const MAX_PIX_AMOUNT: Cents = 999_999_999_999;

/** The bank all payers have; no participant of Pix has this number. */
const PAYER_ISPB = '99999999';
/** What every payer writes. */
const PAYER_NOTE = 'Pagamento de teste';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SUFFIX_LENGTH = 11;
const END_TO_END_ID = /^[a-zA-Z0-9]{32}$/;

export function isEndToEndId(text: string): boolean {
  return END_TO_END_ID.test(text);
}

/** `E`, the payer's bank, the minute in UTC, eleven letters or digits (API Pix 2.9.0, EndToEndId). */
export function newEndToEndId(paidAt: Date): string {
  const minute = paidAt.toISOString().replace(/\D/g, '').slice(0, 12);
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `E${PAYER_ISPB}${minute}${suffix.join('')}`;
}

/** The payment as API Pix 2.9.0 writes it (schema Pix), in answers and callbacks alike. */
export function pixOf({ endToEndId, txid, amount, pixKey, paidAt }: Payment) {
  const horario = paidAt.toISOString();
  return { endToEndId, txid, valor: toDecimal(amount), chave: pixKey, horario, infoPagador: PAYER_NOTE };
}
