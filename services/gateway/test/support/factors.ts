import { api, type OperatorRole } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { totpCode, totpStepAt } from '@plataforma/kernel/totp';
import { createPasswordQueues } from '../../src/passwords.ts';
import type { Answered } from './send.ts';
import type { World } from './world.ts';

export const PASSWORD = 'senha segura';
/** The password is hashed only once, because these tests are not about hashes. */
const passwordHash = createPasswordQueues().then(({ recognized }) => recognized.hash(PASSWORD));

export interface Factor {
  id: string;
  email: string;
  secret: string;
  recoveryCodes: string[];
  headers: { authorization: string };
  refreshToken: string;
}

/** Creates an operator in the database, without a second factor unless `isEnrolled` is true. */
export async function newOperator(
  world: World,
  { isEnrolled = false, role = 'ADMIN' as OperatorRole } = {},
): Promise<Factor> {
  const id = newId();
  const email = `${id}@plataforma.test`;
  await world.database.query(
    'INSERT INTO operators (id, email, password_hash, role, created_at) VALUES ($1, $2, $3, $4, now())',
    [id, email, await passwordHash, role],
  );
  const none = { secret: '', recoveryCodes: [], headers: { authorization: '' }, refreshToken: '' };
  if (!isEnrolled) return { id, email, ...none };
  const logIn = (_email: string, more: object = {}) =>
    world.post('/v1/admin/auth/login', { email, password: PASSWORD, ...more });
  const secret = await enrol(email, logIn);
  const { json } = await logIn(email, { otp: totpCode(secret, totpStepAt(new Date())) });
  const { accessToken, refreshToken, recoveryCodes = [] } = api.logInOperator.data.parse(json.data);
  return {
    id,
    email,
    secret,
    recoveryCodes,
    refreshToken,
    headers: { authorization: `Bearer ${accessToken}` },
  };
}

/** Returns the secret of the operator's new second factor, which no code has confirmed yet. */
export async function enrol(email: string, logIn: (email: string) => Promise<Answered>): Promise<string> {
  const { json } = await logIn(email);
  const { searchParams } = new URL(json.error?.otpauth ?? 'otpauth://none');
  return searchParams.get('secret') ?? '';
}
