import { hasCnpjShape, hasCpfShape, normaliseDocument } from '@plataforma/kernel/documents';
import { expiryOf, groupedExpiry } from './card-expiry.ts';
import type { CardWords } from './card-words.ts';

export type CardText = Record<'number' | 'expiry' | 'cvv' | 'holder' | 'document', string>;

export const NOTHING: CardText = { number: '', expiry: '', cvv: '', holder: '', document: '' };

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Groups a card number's digits by four, as most cards show them. */
export function groupedNumber(text: string): string {
  return digitsOf(text)
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ');
}

export const securityCode = (text: string) => digitsOf(text).slice(0, 4);

export function writtenIn(page: ParentNode): CardText {
  const text = (name: keyof CardText) => page.querySelector<HTMLInputElement>(`#card-${name}`)?.value ?? '';
  return {
    number: groupedNumber(text('number')),
    expiry: groupedExpiry(text('expiry')),
    cvv: securityCode(text('cvv')),
    holder: text('holder'),
    document: text('document'),
  };
}

/** Returns whether the length and the check digit (Luhn, ISO/IEC 7812-1) of a card number are right. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Returns whether the card has not expired. A card is valid until the end of its month. */
function isLater(text: string, now: Date): boolean {
  const expiry = expiryOf(text);
  return expiry !== null && new Date(expiry.year, expiry.month, 1) > now;
}

type Complaint = { [Name in keyof CardText]?: string };

/** Returns an error text for each field whose text can't be correct. */
export function complaintsOf(card: CardText, its: CardWords, now: Date): Complaint {
  const { number, expiry, cvv, holder, document } = card;
  return {
    ...(isCardNumber(digitsOf(number)) ? {} : { number: its.wrongNumber }),
    ...(isLater(expiry, now) ? {} : { expiry: its.wrongExpiry }),
    ...(/^\d{3,4}$/.test(cvv) ? {} : { cvv: its.wrongCvv }),
    ...(holder.trim().length >= 2 ? {} : { holder: its.wrongHolder }),
    ...(isDocumentOrNone(document) ? {} : { document: its.wrongDocument }),
  };
}

function isDocumentOrNone(text: string): boolean {
  const document = normaliseDocument(text);
  return document === '' || hasCpfShape(document) || hasCnpjShape(document);
}
