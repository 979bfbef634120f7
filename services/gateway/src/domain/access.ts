import type { Endpoint, Scope } from '@plataforma/contracts';
import { type Environment, Refusal, type TimeZone } from '@plataforma/kernel';
import { addressList } from '@plataforma/kernel/addresses';
import type { OrganizationStatus } from './organization.ts';

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
  /**
   * The milliseconds by which its environment's clock is ahead of the real time; the key expires by that
   * clock.
   */
  aheadMs: number;
}

/**
 * The longest time that a process caches a key or a session. An ended one still works for so long; the API
 * promises at most five seconds.
 */
export const CREDENTIALS_CACHE_MS = 3_000;

/**
 * Throws a Refusal when a key is revoked or expired, or when its allowed addresses do not include this one.
 */
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

/** Throws INVALID_STATE unless the key works and was not rotated yet. The new key can be rotated in turn. */
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

/**
 * Throws a Refusal for production without approval, and for money movements of a suspended or rejected
 * merchant.
 */
export function requireMerchantStatus(
  status: OrganizationStatus,
  { environment, endpoint }: { environment: Environment; endpoint: Endpoint },
): void {
  const isBarred = status === 'SUSPENDED' || status === 'REJECTED';
  if (isBarred && endpoint.access.kind === 'merchant' && endpoint.access.spends) throw suspended(status);
  // A rejected merchant was never approved, so production has no data for it to read.
  const wasNeverApproved = status === 'PENDING' || status === 'REJECTED';
  if (environment === 'production' && wasNeverApproved) throw notApproved();
}

/** Throws a Refusal for a suspended or rejected merchant, and for a production key without approval. */
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
