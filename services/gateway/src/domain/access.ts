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
   * Milliseconds by which the clock of the key's environment is ahead of real time. The key expires by that
   * clock.
   */
  aheadMs: number;
}

/**
 * A process caches an API key or a session for at most this time. An ended key or session may be accepted for
 * this time. The API promises at most five seconds.
 */
export const CREDENTIALS_CACHE_MS = 3_000;

/**
 * Throws a Refusal if the API key is revoked or expired, or if the caller's address is not among its allowed
 * addresses.
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

/**
 * Throws INVALID_STATE if the API key has ended or was already rotated. The key that replaced it can be
 * rotated.
 */
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
 * Throws a Refusal if an unapproved merchant calls production, or if a suspended or rejected merchant moves
 * money.
 */
export function requireMerchantStatus(
  status: OrganizationStatus,
  { environment, endpoint }: { environment: Environment; endpoint: Endpoint },
): void {
  const isBarred = status === 'SUSPENDED' || status === 'REJECTED';
  if (isBarred && endpoint.access.kind === 'merchant' && endpoint.access.spends) throw suspended(status);
  // A rejected merchant was never approved, so it has no production data to read.
  const wasNeverApproved = status === 'PENDING' || status === 'REJECTED';
  if (environment === 'production' && wasNeverApproved) throw notApproved();
}

/**
 * Throws a Refusal if a suspended or rejected merchant creates an API key, or if an unapproved merchant
 * creates a production key.
 */
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

export function sessionEnded(): Refusal {
  return new Refusal('unauthenticated', 'INVALID_TOKEN', 'the session was ended: log in again');
}
