import type { PasskeyRegistration } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { newId, Refusal } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import { sessionEnded } from '../domain/access.ts';
import { type Passkey, requireRoom } from '../domain/passkey.ts';
import { issueChallenge, offerPasskeys } from '../passkeys.ts';
import {
  challengeIn,
  creationOptions,
  type RelyingParty,
  requireRelyingParty,
  verifyRegistration,
} from '../relying-party.ts';
import { takeChallenge } from '../store/operator-challenges.ts';
import { deletePasskeys, insertPasskey, usablePasskeys } from '../store/operator-passkeys.ts';
import { lockOperatorSession } from '../store/operator-sessions.ts';
import { lockOperator } from '../store/operators.ts';
import type { OperatorSession } from '../tokens.ts';

interface ChangePasskeys {
  database: Database;
  relyingParty: RelyingParty | null;
}

type Caller = Pick<OperatorSession, 'sub' | 'sid'> & { now: Date };

/** Returns options and a challenge with which the operator's browser creates a passkey in this session. */
export async function beginPasskey({ database, relyingParty: given }: ChangePasskeys, caller: Caller) {
  const relyingParty = requireRelyingParty(given);
  return database.transaction(async (tx) => {
    const { operator, passkeys } = await lockCaller(tx, caller);
    requireRoom(passkeys);
    const options = await creationOptions(relyingParty, operator, passkeys);
    await issueChallenge(tx, options.challenge, { use: addingIn(caller), now: caller.now });
    return options;
  });
}

/** Adds the passkey that the operator's browser has made for a challenge of this session. */
export async function addPasskey(
  { database, relyingParty: given }: ChangePasskeys,
  caller: Caller,
  { name, credential }: { name: string; credential: PasskeyRegistration },
): Promise<Passkey> {
  const relyingParty = requireRelyingParty(given);
  const added = await database.transaction(async (tx) => {
    const { operator, factorAt, passkeys } = await lockCaller(tx, caller);
    requireRoom(passkeys);
    const challenge = await challengeIn(credential.response);
    const of = { use: addingIn(caller), now: caller.now };
    // No refusal is thrown here, so that the transaction commits the use of the challenge.
    if (challenge === null || !(await takeChallenge(tx, challenge, of))) return null;
    const made = await verifyRegistration(relyingParty, challenge, credential);
    if (!made) return null;
    const { transports } = credential.response;
    const times = { factorAt, createdAt: caller.now, lastUsedAt: null };
    const passkey = { ...made, ...times, id: newId(), operatorId: operator.id, transports, name };
    if (!(await insertPasskey(tx, passkey))) return null;
    await audit(tx, operator.id, 'operator.add_passkey', { after: { passkeyId: passkey.id, name } });
    return passkey;
  });
  if (added) return added;
  const message = 'credential: fits no challenge of this session, or exists already; get a new challenge';
  throw new Refusal('unprocessable', 'INVALID_PASSKEY', message);
}

/** Deletes a passkey of the operator. Throws NOT_FOUND if the operator has no such passkey. */
export async function deletePasskey({ database }: ChangePasskeys, caller: Caller, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const { operator } = await lockCaller(tx, caller);
    const [name] = await deletePasskeys(tx, operator.id, id);
    if (name === undefined) throw new Refusal('missing', 'NOT_FOUND', 'there is no passkey with this id');
    await audit(tx, operator.id, 'operator.delete_passkey', { before: { passkeyId: id, name } });
  });
}

/** Returns options and a challenge with which a passkey confirms the second factor of this session. */
export async function challengePasskeys({ database, relyingParty: given }: ChangePasskeys, caller: Caller) {
  const relyingParty = requireRelyingParty(given);
  return database.transaction(async (tx) => {
    const { operator, factorAt } = await lockCaller(tx, caller);
    const use = { operatorId: operator.id, factorAt, sessionId: caller.sid, now: caller.now };
    const options = await offerPasskeys(tx, relyingParty, use);
    if (options) return options;
    throw new Refusal('conflict', 'INVALID_STATE', 'you have no passkey: confirm with otp');
  });
}

const addingIn = ({ sub, sid }: Caller) => ({ operatorId: sub, sessionId: sid, purpose: 'add' as const });

/**
 * Locks the operator and the session, which may have ended since the request arrived. Refuses an operator
 * without a confirmed second factor, so that a passkey is never the only factor.
 */
async function lockCaller(tx: Transaction, { sub, sid, now }: Caller) {
  const operator = await lockOperator(tx, sub);
  const factorAt = operator?.factorAt;
  if (!operator || !factorAt || !(await lockOperatorSession(tx, sid, now))) throw sessionEnded();
  return { operator, factorAt, passkeys: await usablePasskeys(tx, { operatorId: sub, factorAt }) };
}

type Facts = Record<string, unknown>;

function audit(
  tx: Transaction,
  operatorId: string,
  action: string,
  { before = {}, after = {} }: { before?: Facts; after?: Facts },
): Promise<void> {
  return writeAudit(tx, { operatorId, action, subjectId: operatorId, reason: null, before, after });
}
