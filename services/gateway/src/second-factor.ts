import type { Database, SecretBox, Transaction } from '@plataforma/data';
import { Enrolment, Refusal } from '@plataforma/kernel';
import { newTotpSecret, otpauthOf } from '@plataforma/kernel/totp';
import { writeAudit } from '@plataforma/tables';
import { hashOf } from './domain/api-key.ts';
import {
  afterCode,
  afterRecoveryCode,
  afterWrongCode,
  type Factor,
  lockedSeconds,
  newRecoveryCodes,
  normalRecoveryCode,
} from './domain/factor.ts';
import {
  insertRecoveryCodes,
  lockOrCreateFactor,
  saveFactor,
  useRecoveryCode,
} from './store/operator-factors.ts';
import { saveFactorTime } from './store/operators.ts';

export interface FactorDependencies {
  database: Database;
  secretBox: SecretBox;
}

interface FactorUse {
  operator: { id: string; email: string };
  otp: string | undefined;
  now: Date;
  /** Runs in the same transaction when a wrong code locks the factor. */
  onLock?: (tx: Transaction) => Promise<unknown>;
}

/** The second factor is locked. `seconds` is the time until it can be used again. */
export class FactorLocked extends Refusal {
  readonly seconds: number;

  constructor(seconds: number) {
    const message = `too many wrong codes; try again in ${seconds} seconds`;
    super('limited', 'SECOND_FACTOR_LOCKED', message);
    this.seconds = seconds;
  }
}

/**
 * Accepts a code of an operator's second factor, and runs `work` in the same transaction. The caller must
 * have verified the password or the session. The row of the factor is locked, so a code works once. Returns
 * recovery codes if the code confirms a new factor.
 */
export async function useFactor<T extends object>(
  { database, secretBox }: FactorDependencies,
  use: FactorUse,
  work: (tx: Transaction) => Promise<T>,
): Promise<T & { recoveryCodes?: string[] }> {
  const { operator, now } = use;
  const outcome = await database.transaction(async (tx) => {
    const seal = () => secretBox.seal(newTotpSecret(), operator.id);
    const factor = await lockOrCreateFactor(tx, { operatorId: operator.id, now, seal });
    if (!factor) return notTrusted();
    const after = await decideUse(tx, use, { ...factor, secret: secretBox.open(factor, operator.id) });
    // A refusal is returned instead of thrown, so that the transaction commits the count of wrong codes.
    if (after instanceof Refusal) return after;
    await saveFactor(tx, operator.id, after);
    const isNew = factor.confirmedAt === null;
    const recoveryCodes = isNew ? await enrol(tx, operator.id, after) : [];
    const done = await work(tx);
    const isRecovery = after.lastStep === factor.lastStep;
    if (isNew) await audit(tx, operator.id, 'operator.enrol_factor');
    if (isRecovery) await audit(tx, operator.id, 'operator.use_recovery_code');
    return isNew ? { ...done, recoveryCodes } : done;
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

/** Records that the operator has confirmed the factor. Returns new recovery codes. */
async function enrol(tx: Transaction, operatorId: string, { confirmedAt }: Factor): Promise<string[]> {
  await saveFactorTime(tx, operatorId, confirmedAt);
  const recoveryCodes = newRecoveryCodes();
  const hashes = recoveryCodes.map((code) => hashOf(normalRecoveryCode(code)));
  await insertRecoveryCodes(tx, operatorId, hashes);
  return recoveryCodes;
}

async function decideUse(
  tx: Transaction,
  { operator, otp: code, now, onLock }: FactorUse,
  { secret, ...factor }: Factor & { secret: string },
): Promise<Factor | Refusal> {
  const seconds = lockedSeconds(factor, now);
  if (seconds !== null) return new FactorLocked(seconds);
  if (code === undefined) return factor.confirmedAt ? codeRequired() : enrolment(operator.email, secret);
  const after = afterCode(factor, { secret, code, now });
  if (after) return after;
  const isRecovery =
    factor.confirmedAt && (await useRecoveryCode(tx, operator.id, hashOf(normalRecoveryCode(code))));
  if (isRecovery) return afterRecoveryCode(factor, now);
  const wrong = afterWrongCode(factor, now);
  await saveFactor(tx, operator.id, wrong);
  if (lockedSeconds(wrong, now) !== null) await onLock?.(tx);
  const message = 'otp: is wrong, expired or used already; wait for the next code';
  return new Refusal('unauthenticated', 'INVALID_SECOND_FACTOR', message);
}

function notTrusted(): Refusal {
  const message =
    'the second factor does not have the seal of the platform; an administrator must examine it';
  return new Refusal('unauthenticated', 'INVALID_SECOND_FACTOR', message);
}

function codeRequired(): Refusal {
  const message = 'the password is correct: send it again with otp, a code of your second factor';
  return new Refusal('unauthenticated', 'SECOND_FACTOR_REQUIRED', message);
}

function enrolment(account: string, secret: string): Refusal {
  const message =
    'the password is correct: add the address in otpauth to an authenticator app, and send the password ' +
    'again with a code as otp';
  const otpauth = otpauthOf(secret, { issuer: 'Plataforma', account });
  return new Enrolment('SECOND_FACTOR_ENROLMENT', message, otpauth);
}

function audit(tx: Transaction, operatorId: string, action: string): Promise<void> {
  return writeAudit(tx, {
    ...{ operatorId, action, subjectId: operatorId, reason: null },
    ...{ before: {}, after: {} },
  });
}
