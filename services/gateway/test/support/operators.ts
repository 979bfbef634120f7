import { api, type OperatorRole } from '@plataforma/contracts';
import { merchantSnapshot } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import type { OperatorLogin } from '@plataforma/testing';
import { createPasswordQueues } from '../../src/passwords.ts';
import { type Answered, type Sending, sendLogIn } from './send.ts';
import { signerOf, type World } from './world.ts';

const PASSWORD = 'senha segura';
/** The password is hashed only once, because these tests are not about hashes. */
const passwordHash = createPasswordQueues().then(({ recognized }) => recognized.hash(PASSWORD));

/** Creates an operator whose account is `days` days old (default: new), and logs the operator in. */
export async function operatorAs(
  world: World,
  role: OperatorRole,
  { days = 0, createdBy = null }: { days?: number; createdBy?: string | null } = {},
): Promise<{ id: string; headers: { authorization: string }; refreshToken: string; login: OperatorLogin }> {
  const id = newId();
  const email = `${id}@plataforma.test`;
  await world.database.query(
    `INSERT INTO operators (id, email, password_hash, role, created_at, created_by)
     VALUES ($1, $2, $3, $4, now() - make_interval(days => $5), $6)`,
    [id, email, await passwordHash, role, days, createdBy],
  );
  const login: OperatorLogin = { email, password: PASSWORD };
  const { json } = await sendLogIn((body) => world.post('/v1/admin/auth/login', body), login);
  const { accessToken, refreshToken } = api.logInOperator.data.parse(json.data);
  return { id, headers: { authorization: `Bearer ${accessToken}` }, refreshToken, login };
}

/** Returns a merchant's published events, oldest first, without those about the sandbox clock. */
export async function eventsOf(world: World, merchantId: string) {
  return (await world.eventsOf(merchantId)).flatMap((event) => {
    if (event.type === 'merchant.clock_moved') return [];
    if (event.type !== 'merchant.updated') throw new Error(`${event.type} was announced`);
    return [event];
  });
}

interface AuditRow {
  operator_id: string;
  action: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
}

/** Returns the rows of the audit log about a merchant or operator, without enrolments, oldest first. */
export function auditOf(world: World, subjectId: string): Promise<AuditRow[]> {
  return world.database.query<AuditRow>(
    "SELECT * FROM audit_log WHERE subject_id = $1 AND action <> 'operator.enrol_factor' ORDER BY id",
    [subjectId],
  );
}

export function changeSettings(
  world: World,
  merchantId: string,
  sending: Pick<Sending, 'body' | 'headers'>,
): Promise<Answered> {
  return world.call(`/v1/admin/merchants/${merchantId}/settings`, { method: 'PATCH', ...sending });
}

/** Returns the current data of a merchant, as the charges service reads it. */
export async function snapshotOf(world: World, merchantId: string): Promise<unknown> {
  const headers = { 'x-internal-identity': signerOf('charges').sign({ kind: 'service' }, 'gateway') };
  const answer = await fetch(`${world.gateway.internalUrl}/internal/merchants/${merchantId}`, { headers });
  return merchantSnapshot.parse(JSON.parse(await answer.text()).data);
}
