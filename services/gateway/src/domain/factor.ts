import { randomBytes } from 'node:crypto';
import { base32, stepOfTotp } from '@plataforma/kernel/totp';

const MAX_WRONG_CODES = 5;
const LOCK_MS = 15 * 60_000;
const RECOVERY_CODES = 10;
/** 80 random bits, which are 16 letters. */
const RECOVERY_BYTES = 10;

/** An operator's second factor, without its secret. */
export interface Factor {
  /** The time of the log-in that confirmed the factor; null before. */
  confirmedAt: Date | null;
  /** The step of the last accepted code. */
  lastStep: number;
  /** The number of wrong codes and wrong passkey answers since the last accepted one or the last lock. */
  wrongCodes: number;
  lockedUntil: Date | null;
}

/** Returns the seconds for which the factor is still locked, or null if it is not locked. */
export function lockedSeconds({ lockedUntil }: Factor, now: Date): number | null {
  const leftMs = (lockedUntil?.getTime() ?? 0) - now.getTime();
  return leftMs > 0 ? Math.ceil(leftMs / 1000) : null;
}

/** Returns the factor after this code was accepted, or null if the authenticator app has no such code. */
export function afterCode(
  factor: Factor,
  { secret, code, now }: { secret: string; code: string; now: Date },
): Factor | null {
  const step = stepOfTotp(secret, code, { now, after: factor.lastStep });
  return step === null ? null : { ...afterOtherProof(factor, now), lastStep: step };
}

/** Returns the factor after a recovery code or the answer of a passkey was accepted. */
export function afterOtherProof(factor: Factor, now: Date): Factor {
  return { ...factor, confirmedAt: factor.confirmedAt ?? now, wrongCodes: 0, lockedUntil: null };
}

/** Returns the factor after a wrong code. Five wrong codes lock it for 15 minutes. */
export function afterWrongCode(factor: Factor, now: Date): Factor {
  const wrongCodes = factor.wrongCodes + 1;
  if (wrongCodes < MAX_WRONG_CODES) return { ...factor, wrongCodes };
  return { ...factor, wrongCodes: 0, lockedUntil: new Date(now.getTime() + LOCK_MS) };
}

/** Creates recovery codes: 16 letters and digits in groups of four. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replace(/.{4}(?=.)/g, '$&-'),
  );
}

/** Returns a recovery code in upper case, with only the characters of base32. */
export function normalRecoveryCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z2-7]/g, '');
}
