import type { CsvLocale } from '@plataforma/contracts';
import type { NamedTransaction } from '../domain/statement.ts';

type Words = Readonly<Record<CsvLocale, string>>;

/**
 * The texts of statement rows in files. The key is the entry's kind and the row's type. Stored descriptions
 * are in English only.
 */
const texts: Readonly<Record<string, Words>> = {
  'charge_paid CREDIT': {
    'pt-BR': 'Cobrança por {method} {order}{from}',
    en: '{method} charge {order}{from}',
  },
  'charge_paid FEE': {
    'pt-BR': 'Tarifa da cobrança por {method} {order}{from}',
    en: 'Fee of {method} charge {order}{from}',
  },
  'receivable_due CREDIT': {
    'pt-BR': 'Recebimento de venda no {method} {order}{from}',
    en: 'Settlement of {method} charge {order}{from}',
  },
  'refund REFUND': {
    'pt-BR': 'Devolução da cobrança por {method} {order}{to}',
    en: 'Refund of {method} charge {order}{to}',
  },
  'refund_refused REFUND': {
    'pt-BR': 'Devolução {refund}{to} recusada pelo provedor',
    en: 'Refund {refund}{to} refused by the provider',
  },
  'withdrawal_created WITHDRAWAL': {
    'pt-BR': 'Saque por {transfer} {withdrawal}{to}',
    en: '{transfer} withdrawal {withdrawal}{to}',
  },
  'withdrawal_created FEE': {
    'pt-BR': 'Tarifa do saque por {transfer} {withdrawal}{to}',
    en: 'Fee of {transfer} withdrawal {withdrawal}{to}',
  },
  'withdrawal_returned WITHDRAWAL': {
    'pt-BR': 'Valor do saque {withdrawal}{to} devolvido',
    en: 'Money of withdrawal {withdrawal}{to} returned',
  },
  'withdrawal_returned FEE': {
    'pt-BR': 'Tarifa do saque {withdrawal}{to} devolvida',
    en: 'Fee of withdrawal {withdrawal}{to} returned',
  },
  'dispute_opened DISPUTE_RESERVE': {
    'pt-BR': 'Reservado para a contestação {dispute}{from}',
    en: 'Reserved for dispute {dispute}{from}',
  },
  'dispute_opened DISPUTE_DEFICIT': {
    'pt-BR': 'Em falta para a contestação {dispute}{from}',
    en: 'Missing for dispute {dispute}{from}',
  },
  'dispute_won DISPUTE_RELEASE': {
    'pt-BR': 'Liberado pela contestação {dispute}{from}',
    en: 'Released by dispute {dispute}{from}',
  },
  'dispute_won DISPUTE_DEFICIT': {
    'pt-BR': 'Não mais devido pela contestação {dispute}{from}',
    en: 'Not owed for dispute {dispute}{from}',
  },
  'block DEBIT': { 'pt-BR': 'Bloqueado pela plataforma', en: 'Blocked by the platform' },
  'unblock CREDIT': { 'pt-BR': 'Desbloqueado pela plataforma', en: 'No longer blocked by the platform' },
};

const methodNames = {
  PIX: { 'pt-BR': 'Pix', en: 'Pix' },
  CARD: { 'pt-BR': 'cartão', en: 'Card' },
  BOLETO: { 'pt-BR': 'boleto', en: 'Boleto' },
};

/**
 * Returns a row's text in the file's language. Returns the stored description if the row is an adjustment, or
 * lacks a value that the text contains, such as the refund's id.
 */
export function rowText(row: NamedTransaction, locale: CsvLocale): string {
  const text = texts[`${row.entryKind} ${row.type}`]?.[locale];
  if (text === undefined) return row.description;
  const names = namesOf(row, locale);
  const pieces = text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : names[piece]));
  return pieces.some((piece) => typeof piece !== 'string') ? row.description : pieces.join('');
}

function namesOf(row: NamedTransaction, locale: CsvLocale): Record<string, string | null> {
  const person = row.payerName ?? row.payeeName;
  const words = locale === 'en' ? { from: 'from', to: 'to' } : { from: 'de', to: 'para' };
  return {
    method: row.paymentMethod && methodNames[row.paymentMethod][locale],
    order: row.externalId,
    from: person ? ` ${words.from} ${person}` : '',
    to: person ? ` ${words.to} ${person}` : '',
    refund: row.refundId,
    dispute: row.disputeId,
    withdrawal: row.externalId ?? row.withdrawalId,
    // Only the stored description distinguishes a TED from a Pix.
    transfer: /^(?:Fee of )?TED /.test(row.description) ? 'TED' : 'Pix',
  };
}

/** Returns the person who paid or got the row's amount. Returns null for other rows, such as fees. */
export function personOf({ type, payerName, payeeName }: NamedTransaction): string | null {
  return ['CREDIT', 'REFUND', 'WITHDRAWAL'].includes(type) ? (payerName ?? payeeName) : null;
}

/**
 * Translates the rows of a CSV file. A file without a locale keeps the stored descriptions, because its
 * content must stay as in earlier releases.
 */
export function inLanguage(rows: readonly NamedTransaction[], locale: CsvLocale | undefined) {
  return rows.map((row) => (locale ? { ...row, description: rowText(row, locale) } : row));
}
