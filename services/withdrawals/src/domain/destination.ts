import { isCnpj, isCpf, type PixKeyType } from '@plataforma/brcode';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { readPixKey } from './pix-key.ts';

interface PixTarget {
  type: 'PIX';
  pixKeyType: PixKeyType;
  /** As the DICT stores it. */
  pixKey: string;
}

interface BankTarget {
  type: 'BANK_ACCOUNT';
  /** COMPE, three digits. */
  bankCode: string;
  branch: string;
  account: string;
  accountType: 'CHECKING' | 'SAVINGS';
  holderName: string;
  holderDocument: string;
}

/** Where money goes. */
export type Target = PixTarget | BankTarget;

/** A target a merchant wants to keep. */
export type DestinationDraft = Tenant & Target & { label: string | null };

interface Saved extends Tenant {
  id: string;
  label: string | null;
  createdAt: Date;
}

/** A target a merchant keeps under an id. */
export type Destination = (Saved & PixTarget) | (Saved & BankTarget);

/** In each environment, those that were deleted not counted. */
export const MAX_DESTINATIONS = 1000;

/** The target as it is kept and compared; refused when it can't exist, as far as that is enforced here. */
export function checkedTarget(target: Target, environment: Tenant['environment']): Target {
  if (target.type === 'PIX') {
    return { ...target, pixKey: readPixKey(target.pixKeyType, target.pixKey, environment) };
  }
  const { holderDocument } = target;
  if (environment === 'sandbox' || isCpf(holderDocument) || isCnpj(holderDocument)) return target;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'holderDocument: its check digits are wrong');
}

/** The account alone, without what else is kept of a saved one. */
export function bankAccountOf(target: BankTarget): Omit<BankTarget, 'type'> {
  const { bankCode, branch, account, accountType, holderName, holderDocument } = target;
  return { bankCode, branch, account, accountType, holderName, holderDocument };
}

/** The target alone, without what else is kept of a saved one. */
export function targetOf(target: Target): Target {
  if (target.type === 'BANK_ACCOUNT') return { type: target.type, ...bankAccountOf(target) };
  return { type: target.type, pixKeyType: target.pixKeyType, pixKey: target.pixKey };
}

export function noSuchDestination(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no destination with this id');
}
