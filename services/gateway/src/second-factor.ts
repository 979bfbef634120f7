import type { PasskeyAssertion } from '@plataforma/contracts';
import type { Database, SecretBox, Transaction } from '@plataforma/data';
import { Enrolment, PasskeyRequired, Refusal } from '@plataforma/kernel';
import { newTotpSecret, otpauthOf } from '@plataforma/kernel/totp';
import { writeAudit } from '@plataforma/tables';
import { hashOf } from './domain/api-key.ts';
import {
  afterCode,
  afterOtherProof,
  afterWrongCode,
  type Factor,
  lockedSeconds,
  newRecoveryCodes,
  normalRecoveryCode,
} from './domain/factor.ts';
import { acceptsAnswer, offerPasskeys } from './passkeys.ts';
import { type RelyingParty, requireRelyingParty } from './relying-party.ts';
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
  /** Null if the installation takes no passkeys. */
  relyingParty: RelyingParty | null;
}

/** A code of the second factor, or the answer of a passkey. */
export interface Proof {
  otp?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
}

interface FactorUse extends Proof {
  operator: { id: string; email: string };
  /** The session of the operator. Null in a log-in. */
  sessionId: string | null;
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
 * Accepts a code of an operator's second factor or an answer of a passkey, and runs `work` in the same
 * transaction. The caller must have verified the password or the session. The row of the factor is locked, so
 * a code and a challenge work once. Returns recovery codes if the code confirms a new factor.
 */
export async function useFactor<T extends object>(
  { database, secretBox, relyingParty }: FactorDependencies,
  use: FactorUse,
  work: (tx: Transaction) => Promise<T>,
): Promise<T & { recoveryCodes?: string[] }> {
  const { operator, now } = use;
  if (use.passkey) requireRelyingParty(relyingParty);
  const outcome = await database.transaction(async (tx) => {
    const seal = () => secretBox.seal(newTotpSecret(), operator.id);
    const factor = await lockOrCreateFactor(tx, { operatorId: operator.id, now, seal });
    if (!factor) return notTrusted();
    const opened = { ...factor, secret: secretBox.open(factor, operator.id) };
    const after = await decideUse(tx, { ...use, relyingParty }, opened);
    // A refusal is returned instead of thrown, so that the transaction commits the count of wrong codes.
    if (after instanceof Refusal) return after;
    await saveFactor(tx, operator.id, after);
    const isNew = factor.confirmedAt === null;
    const recoveryCodes = isNew ? await enrol(tx, operator.id, after) : [];
    const done = await work(tx);
    const isRecovery = use.otp !== undefined && after.lastStep === factor.lastStep;
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

type OpenFactor = Factor & { secret: string };
type Use = FactorUse & { relyingParty: RelyingParty | null };

async function decideUse(tx: Transaction, use: Use, opened: OpenFactor): Promise<Factor | Refusal> {
  const { otp, passkey, now } = use;
  const { secret, ...factor } = opened;
  const seconds = lockedSeconds(factor, now);
  if (seconds !== null) return new FactorLocked(seconds);
  if (otp === undefined && passkey === undefined)
    return factor.confirmedAt
      ? proofRequired(tx, use, factor.confirmedAt)
      : enrolment(use.operator.email, secret);
  const after = await accept(tx, use, opened);
  if (after) return after;
  const wrong = afterWrongCode(factor, now);
  await saveFactor(tx, use.operator.id, wrong);
  if (lockedSeconds(wrong, now) !== null) await use.onLock?.(tx);
  const message = passkey
    ? 'passkey: is wrong, expired or used already; get a new challenge'
    : 'otp: is wrong, expired or used already; wait for the next code';
  return new Refusal('unauthenticated', 'INVALID_SECOND_FACTOR', message);
}

/** Returns the factor after the code or the answer of a passkey was accepted, or null if it is wrong. */
async function accept(
  tx: Transaction,
  { operator, sessionId, relyingParty, otp, passkey: answer, now }: Use,
  { secret, ...factor }: OpenFactor,
): Promise<Factor | null> {
  const { confirmedAt: factorAt } = factor;
  const after = otp === undefined ? null : afterCode(factor, { secret, code: otp, now });
  if (after || !factorAt) return after;
  const isAccepted =
    answer && relyingParty
      ? await acceptsAnswer(tx, relyingParty, { operatorId: operator.id, factorAt, sessionId, answer, now })
      : await useRecoveryCode(tx, operator.id, hashOf(normalRecoveryCode(`${otp}`)));
  return isAccepted ? afterOtherProof(factor, now) : null;
}

async function proofRequired(
  tx: Transaction,
  { operator, sessionId, relyingParty, now }: Use,
  factorAt: Date,
): Promise<Refusal> {
  const of = { operatorId: operator.id, factorAt, sessionId, now };
  const passkey = relyingParty && (await offerPasskeys(tx, relyingParty, of));
  const code = 'SECOND_FACTOR_REQUIRED';
  const message = 'the password is correct: send it again with otp, a code of your second factor';
  if (!passkey) return new Refusal('unauthenticated', code, message);
  return new PasskeyRequired(code, `${message}, or with passkey, the answer of a passkey`, passkey);
}

function notTrusted(): Refusal {
  const message =
    'the second factor does not have the seal of the platform; an administrator must examine it';
  return new Refusal('unauthenticated', 'INVALID_SECOND_FACTOR', message);
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
