import { api, type OperatorRole, operatorRoles } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { newId, Refusal } from '@plataforma/kernel';
import {
  type Decision,
  decidersIn,
  type ProposalDependencies,
  proposedAction,
  type Requested,
  requestChange,
} from '@plataforma/service';
import { timeOf, writeAudit } from '@plataforma/tables';
import { z } from 'zod';
import { type Operator, requireActiveAdmin } from '../domain/operator.ts';
import type { PasswordQueues } from '../passwords.ts';
import { findOperatorToLogIn, insertOperator, lockAdminsAnd } from '../store/operators.ts';

const given = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(operatorRoles),
  passwordHash: z.string(),
});

/** The argument that contains the password's hash. It is deleted at the proposal's decision or expiry. */
export const PROPOSED_PASSWORD = 'passwordHash';

export const creation = proposedAction({
  ...{ name: 'operator.create', endpoint: api.createOperator, schema: given, secret: PROPOSED_PASSWORD },
  effect: ({ email, role }) => `Create the operator ${email} with the role ${role}.`,
  execute: create,
});

interface CreateOperator {
  database: Database;
  passwords: PasswordQueues;
  proposals: ProposalDependencies;
  saveResponse: (tx: Transaction, requested: Requested<Operator>) => Promise<void>;
}

/**
 * Creates an operator at once if the caller is a single operator. Otherwise stores a proposal, with the hash
 * of the password. Throws OPERATOR_EXISTS if an operator has the e-mail address.
 */
export async function createOperator(
  { database, passwords, proposals, saveResponse }: CreateOperator,
  operatorId: string,
  { email, password, role }: { email: string; password: string; role: OperatorRole },
): Promise<Requested<Operator>> {
  if (await findOperatorToLogIn(database, 'email', email)) throw operatorExists();
  const passwordHash = await passwords.recognized.hash(password);
  const id = newId();
  const request = { operatorId, arguments: { id, email, role, passwordHash }, subjectId: id };
  return requestChange(proposals, creation, request, saveResponse);
}

/** Inserts the operator. The caller must be an active ADMIN. */
async function create(
  tx: Transaction,
  { passwordHash, ...fields }: z.infer<typeof given>,
  decision: Decision,
): Promise<Operator> {
  const { operatorId, proposal } = decision;
  requireActiveAdmin(await lockAdminsAnd(tx, operatorId), operatorId);
  const created = { createdAt: await timeOf(tx), createdBy: proposal?.proposedBy ?? operatorId };
  const operator: Operator = { ...fields, isActive: true, passwordVersion: 0, factorAt: null, ...created };
  await insertOperator(tx, operator, passwordHash);
  await writeAudit(tx, {
    operatorId,
    action: 'operator.create',
    subjectId: operator.id,
    before: {},
    after: { role: operator.role, isActive: true, ...decidersIn(decision) },
    reason: null,
  });
  return operator;
}

export function operatorExists(): Refusal {
  return new Refusal('conflict', 'OPERATOR_EXISTS', 'email: an operator with it exists already');
}
