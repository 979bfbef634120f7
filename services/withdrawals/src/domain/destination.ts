import { isCnpj, isCpf, type PixKeyType } from '@plataforma/brcode';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { readPixKey } from './pix-key.ts';

interface PixPayee {
  type: 'PIX';
  pixKeyType: PixKeyType;
  /** The Pix key in the format of the DICT, Brazil's directory of Pix keys. */
  pixKey: string;
}

interface BankPayee {
  type: 'BANK_ACCOUNT';
  /** The bank's COMPE code, three digits. */
  bankCode: string;
  branch: string;
  account: string;
  accountType: 'CHECKING' | 'SAVINGS';
  holderName: string;
  holderDocument: string;
}

/** The Pix key or bank account that receives the money. */
export type Payee = PixPayee | BankPayee;

export type DestinationDraft = Tenant & Payee & { label: string | null };

interface Saved extends Tenant {
  id: string;
  label: string | null;
  createdAt: Date;
}

export type Destination = (Saved & PixPayee) | (Saved & BankPayee);

/**
 * The largest number of saved destinations of a merchant in one environment. Deleted destinations do not
 * count.
 */
export const MAX_DESTINATIONS = 1000;

/**
 * Returns the payee in the format in which the service stores and compares payees. Throws VALIDATION_ERROR if
 * the payee cannot exist. Only production verifies check digits.
 */
export function checkedPayee(payee: Payee, environment: Tenant['environment']): Payee {
  if (payee.type === 'PIX') {
    return { ...payee, pixKey: readPixKey(payee.pixKeyType, payee.pixKey, environment) };
  }
  const { holderDocument } = payee;
  if (environment === 'sandbox' || isCpf(holderDocument) || isCnpj(holderDocument)) return payee;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'holderDocument: its check digits are wrong');
}

export function bankAccountOf(payee: BankPayee): Omit<BankPayee, 'type'> {
  const { bankCode, branch, account, accountType, holderName, holderDocument } = payee;
  return { bankCode, branch, account, accountType, holderName, holderDocument };
}

export function payeeOf(payee: Payee): Payee {
  if (payee.type === 'BANK_ACCOUNT') return { type: payee.type, ...bankAccountOf(payee) };
  return { type: payee.type, pixKeyType: payee.pixKeyType, pixKey: payee.pixKey };
}

export function noSuchDestination(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no destination with this id');
}
