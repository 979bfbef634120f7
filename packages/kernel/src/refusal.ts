/** Each kind has one HTTP status. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'declined'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'not_acceptable'
  | 'too_slow'
  | 'conflict'
  | 'too_large'
  | 'uri_too_long'
  | 'media_type'
  | 'unprocessable'
  | 'limited'
  | 'headers_too_large'
  | 'provider_fault'
  | 'unavailable';

/**
 * An expected refusal that the caller can act on. It is thrown so that the transaction rolls back. Any other
 * error is a bug and becomes status 500.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly code: string;

  constructor(kind: RefusalKind, code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.code = code;
  }
}

/** A declined card. `reason` says why, as a code for programs. */
export class Declined extends Refusal {
  readonly reason: string;

  constructor(code: string, message: string, reason: string) {
    super('declined', code, message);
    this.reason = reason;
  }
}

/** The refusal of a log-in by an operator without a second factor. `otpauth` is a new factor's address. */
export class Enrolment extends Refusal {
  readonly otpauth: string;

  constructor(code: string, message: string, otpauth: string) {
    super('unauthenticated', code, message);
    this.otpauth = otpauth;
  }
}

/** The refusal of a log-in request without a second factor. `passkey` is a challenge for passkeys. */
export class PasskeyRequired extends Refusal {
  readonly passkey: object;

  constructor(code: string, message: string, passkey: object) {
    super('unauthenticated', code, message);
    this.passkey = passkey;
  }
}

/**
 * Runs the checks in order and returns their refusals. Throws VALIDATION_ERROR at once, because later checks
 * need valid input.
 */
export async function refusalsOf(...checks: (() => unknown)[]): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'VALIDATION_ERROR') throw error;
      refusals.push(error);
    }
  }
  return refusals;
}
