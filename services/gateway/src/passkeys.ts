import type { PasskeyAssertion } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { writeAudit } from '@plataforma/tables';
import { hasGoneBack } from './domain/passkey.ts';
import {
  CHALLENGE_MS,
  challengeIn,
  type RelyingParty,
  requestOptions,
  verifyAssertion,
} from './relying-party.ts';
import { type ChallengeUse, saveChallenge, takeChallenge } from './store/operator-challenges.ts';
import { savePasskeyUse, usablePasskeys } from './store/operator-passkeys.ts';

interface PasskeyUse {
  operatorId: string;
  /** The time of the operator's present second factor. */
  factorAt: Date;
  sessionId: string | null;
  now: Date;
}

/** Saves a new challenge for five minutes. */
export function issueChallenge(
  tx: Transaction,
  id: string,
  { use, now }: { use: ChallengeUse; now: Date },
): Promise<void> {
  const { operatorId, sessionId, purpose } = use;
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  return saveChallenge(tx, { id, operatorId, sessionId, purpose, expiresAt });
}

/** Returns options with a new challenge for an operator's passkeys, or null if the operator has none. */
export async function offerPasskeys(tx: Transaction, relyingParty: RelyingParty, use: PasskeyUse) {
  const passkeys = await usablePasskeys(tx, use);
  if (passkeys.length === 0) return null;
  const options = await requestOptions(relyingParty, passkeys);
  const { operatorId, sessionId, now } = use;
  await issueChallenge(tx, options.challenge, { use: { operatorId, sessionId, purpose: 'prove' }, now });
  return options;
}

/**
 * Returns true if a passkey of the operator has signed a challenge for this use. A wrong answer also uses up
 * the challenge. The caller must have locked the operator, and must commit the transaction.
 */
export async function acceptsAnswer(
  tx: Transaction,
  relyingParty: RelyingParty,
  { answer, ...use }: PasskeyUse & { answer: PasskeyAssertion },
): Promise<boolean> {
  const { operatorId, sessionId, now } = use;
  const challenge = await challengeIn(answer.response);
  const of = { use: { operatorId, sessionId, purpose: 'prove' as const }, now };
  if (challenge === null || !(await takeChallenge(tx, challenge, of))) return false;
  const passkey = (await usablePasskeys(tx, use)).find(({ credentialId }) => credentialId === answer.id);
  const counter = passkey ? await verifyAssertion(relyingParty, challenge, { answer, passkey }) : null;
  if (!passkey || counter === null) return false;
  const { id: passkeyId, name } = passkey;
  if (!hasGoneBack(passkey.counter, counter)) {
    await savePasskeyUse(tx, passkeyId, { counter, now });
    return true;
  }
  await writeAudit(tx, {
    ...{ operatorId, action: 'operator.refuse_passkey', subjectId: operatorId, reason: null },
    ...{ before: { passkeyId, name, counter: passkey.counter }, after: { counter } },
  });
  return false;
}
