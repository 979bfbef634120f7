import { Refusal } from '@plataforma/kernel';

const MAX_PASSKEYS = 10;

/** The public half of a key pair of WebAuthn, whose private half stays in an operator's authenticator. */
export interface Passkey {
  id: string;
  operatorId: string;
  /** The authenticator's id of the key pair, in base64url. */
  credentialId: string;
  publicKey: Buffer;
  /** The signature counter of the last accepted answer. */
  counter: number;
  transports: string[];
  name: string;
  /** The operator's `factorAt` when the passkey was added. */
  factorAt: Date;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/**
 * Returns true if the counter did not increase, because two authenticators may then have the private key.
 * Synced passkeys are exempt: their counter stays 0.
 */
export function hasGoneBack(stored: number, reported: number): boolean {
  return (stored > 0 || reported > 0) && reported <= stored;
}

/** Throws PASSKEY_LIMIT_REACHED if the operator may not add another passkey. */
export function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length < MAX_PASSKEYS) return;
  throw new Refusal('unprocessable', 'PASSKEY_LIMIT_REACHED', 'you have ten passkeys: delete one first');
}
