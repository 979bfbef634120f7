import type { Endpoint, Scope } from '@plataforma/contracts';
import { type Environment, Refusal, type TimeZone } from '@plataforma/kernel';
import { addressList } from '@plataforma/kernel/addresses';
import type { OrganizationStatus } from './organization.ts';

/** An API key as it is stored, with the status of the merchant it belongs to. */
export interface ApiKey {
  id: string;
  merchantId: string;
  merchantStatus: OrganizationStatus;
  timeZone: TimeZone;
  environment: Environment;
  scopes: Scope[];
  allowedIps: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** By how much the time of its environment is ahead of the real one: it ends by that. */
  aheadMs: number;
}

/**
 * For how long a process goes by what it has read of a key or a session: that one has ended is felt this much later at
 * most; promised are five seconds.
 */
export const CREDENTIALS_CACHE_MS = 3_000;

/** Refuses a key that has ended, or that may not be used from this address. */
export function requireUsableKey(key: ApiKey, { now, address }: { now: Date; address: string }): void {
  const time = now.getTime() + key.aheadMs;
  if (key.revokedAt && key.revokedAt.getTime() <= time) {
    throw new Refusal('unauthenticated', 'API_KEY_REVOKED', 'the API key was revoked');
  }
  if (key.expiresAt && key.expiresAt.getTime() <= time) {
    throw new Refusal('unauthenticated', 'API_KEY_EXPIRED', 'the API key has expired');
  }
  if (key.allowedIps.length > 0 && !addressList(key.allowedIps)(address)) {
    throw new Refusal('forbidden', 'IP_NOT_ALLOWED', 'the API key may not be used from this address');
  }
}

/** A key is rotated once, while it works: the new one may be rotated in turn. */
export function requireRotatable(
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): void {
  if (revokedAt) {
    throw new Refusal('conflict', 'INVALID_STATE', 'the API key was revoked or rotated already');
  }
  if (expiresAt && expiresAt <= now)
    throw new Refusal('conflict', 'INVALID_STATE', 'the API key has expired');
}

/** Requires a merchant's approval for production, and that no suspended merchant starts money movements. */
export function requireMerchantStatus(
  status: OrganizationStatus,
  { environment, endpoint }: { environment: Environment; endpoint: Endpoint },
): void {
  const isBarred = status === 'SUSPENDED' || status === 'REJECTED';
  if (isBarred && endpoint.access.kind === 'merchant' && endpoint.access.spends) throw suspended(status);
  // Nobody was rejected who had been approved: there is nothing of theirs to read.
  const wasNeverApproved = status === 'PENDING' || status === 'REJECTED';
  if (environment === 'production' && wasNeverApproved) throw notApproved();
}

/** A production key is minted for approved merchants only; nobody who is barred gets a key. */
export function requireKeyAllowed(status: OrganizationStatus, environment: Environment): void {
  if (status === 'SUSPENDED' || status === 'REJECTED') throw suspended(status);
  if (environment === 'production' && status !== 'APPROVED') throw notApproved();
}

function notApproved(): Refusal {
  return new Refusal('forbidden', 'MERCHANT_NOT_APPROVED', 'production opens when the account is approved');
}

function suspended(status: OrganizationStatus): Refusal {
  const message = `the account is ${status}: no new charges, withdrawals, destinations or API keys`;
  return new Refusal('forbidden', 'MERCHANT_SUSPENDED', message);
}
