import { type OperatorRole, type Scope, scopes, wideScopes } from '@plataforma/contracts';
import { type Environment, environments } from '@plataforma/kernel';
import { logInOperator, type OperatorLogin } from '@plataforma/local';
import { cnpjOf } from '@plataforma/testing';
import type { Answer, Client, Line, Thing } from './client.ts';
import { clientOf } from './client.ts';
import { type Credentials, fixed, type Renewable, renewable } from './credentials.ts';

export interface ApiKey {
  id: string;
  key: string;
}

export interface Merchant {
  name: string;
  id: string;
  /** A client with the session of the merchant's staff, as the dashboard has. */
  dashboard: Client;
  /** Clients with the merchant's current API key, one for each environment. */
  api: Readonly<Record<Environment, Client>>;
  keys: Readonly<Record<Environment, Renewable<ApiKey>>>;
  /**
   * The ids of webhooks that no simulated client changes. Each of these webhooks must receive every event.
   */
  untouched: Set<string>;
}

export interface Login {
  email: string;
  password: string;
}

const PASSWORD = 'uma senha comprida';
/** The first company number (CNPJ), with fourteen digits. The registration accepts wrong check digits. */
const FIRST_CNPJ = 100_000_000_001;

/** Removes the limits of new merchants, because the withdrawals of a run would exceed them. */
const unlimited = { dailyWithdrawalLimit: null, destinationCooldownHours: 0, newPayeesPerDay: null };

/** The settings in which the merchants differ, one item for each merchant. */
const settings: readonly Thing[] = [
  { autoApproveLimit: 5_000 },
  { withdrawalFee: 100, withdrawalFeeMode: 'BALANCE', pixFeeFixed: 10 },
  { settlementDays: 0, autoApproveLimit: 100_000 },
  { withdrawalFee: 50, withdrawalFeeMode: 'AMOUNT', pixFeeBps: 0 },
];

/** Registers a merchant, approves it as an operator, and creates an API key for each environment. */
export async function openMerchant(line: Line, operator: Client, number: number): Promise<Merchant> {
  const name = `merchant ${number}`;
  const login = { email: `merchant-${number}@loja.test`, password: PASSWORD };
  const company = { companyName: `Loja ${number}`, cnpj: cnpjOf(FIRST_CNPJ + number), phone: '11987654321' };
  const register = { method: 'POST', path: '/v1/auth/register', body: { ...login, ...company } } as const;
  const nobody = clientOf(line, name, fixed());
  requireDone(
    await nobody.ask({ action: 'register', ...register, intent: `${name} registers`, again: 'as it is' }),
  );
  const dashboard = nobody.as(await session(nobody, '/v1/auth/login', login));
  const id = String(requireDone(await dashboard.read('read-account', '/v1/account')).id);
  await admit(operator, id, number);
  const [sandbox, production] = await Promise.all([
    firstKey(dashboard, 'sandbox'),
    firstKey(dashboard, 'production'),
  ]);
  const keys = { sandbox, production };
  const api = { sandbox: nobody.as(sandbox), production: nobody.as(production) };
  return { name, id, dashboard, api, keys, untouched: new Set() };
}

async function admit(operator: Client, id: string, number: number): Promise<void> {
  const path = `/v1/admin/merchants/${id}`;
  const again = 'as it is';
  const approve = { action: 'approve-merchant', method: 'POST', path: `${path}/approve` } as const;
  const force = { body: { force: true } };
  requireDone(await operator.ask({ ...approve, ...force, intent: `approve ${id}`, again }));
  const body = { cardEnabled: true, ...unlimited, ...settings[(number - 1) % settings.length] };
  const change = { action: 'change-settings', method: 'PATCH', path: `${path}/settings`, body } as const;
  requireDone(await operator.ask({ ...change, intent: `settings of ${id}`, again }));
}

/**
 * Returns the credentials of a session. The credentials log in again when a request with the session's token
 * gets a 401.
 */
async function session(nobody: Client, path: string, login: Login): Promise<Credentials> {
  return sessionBy(login, async () => {
    const { isDone, data } = await askLogIn(nobody, path, { ...login });
    return isDone ? String(data.accessToken) : null;
  });
}

/**
 * Returns the credentials of an operator. They also log in again when the second factor is no longer fresh.
 */
export function operatorSession(nobody: Client, login: OperatorLogin): Promise<Credentials> {
  return sessionBy(login, () => logInAsOperator(nobody, login));
}

export interface Employee {
  id: string;
  login: OperatorLogin;
  client: Client;
}

/** Creates an operator and logs in. `admin` must be a single operator, who needs no approval. */
export async function openOperator(
  line: Line,
  admin: Client,
  { name, role }: { name: string; role: OperatorRole },
): Promise<Employee> {
  const login = { email: `${name.replaceAll(' ', '-')}@plataforma.test`, password: 'uma senha bem comprida' };
  const request = { action: 'create-operator', method: 'POST', path: '/v1/admin/operators' } as const;
  const { id } = requireDone(
    await admin.ask({ ...request, body: { ...login, role }, intent: `create ${name}`, again: 'by key' }),
  );
  const nobody = clientOf(line, name, fixed());
  return { id: String(id), login, client: nobody.as(await operatorSession(nobody, login)) };
}

/** Logs an operator in with a second factor. Returns the access token, or null if that is not possible now. */
export function logInAsOperator(nobody: Client, login: OperatorLogin): Promise<string | null> {
  return logInOperator(async (body) => {
    const { data, code, otpauth } = await askLogIn(nobody, '/v1/admin/auth/login', body);
    return { ...data, code, otpauth };
  }, login);
}

function askLogIn(nobody: Client, path: string, body: Thing): Promise<Answer> {
  const intent = `log in ${body.email} ${Date.now()}`;
  return nobody.ask({ action: 'log-in', method: 'POST', path, body, intent, again: 'as it is' });
}

async function sessionBy(login: Login, obtain: () => Promise<string | null>): Promise<Credentials> {
  const first = await obtain();
  if (first === null) throw new Error(`${login.email} can't log in`);
  return renewable(first, { headersOf: (token) => ({ authorization: `Bearer ${token}` }), obtain });
}

export const headersOfKey = ({ key }: ApiKey) => ({ 'x-api-key': key });

interface NewKey {
  environment: Environment;
  scopes?: readonly Scope[];
  intent: string;
}

/** Creates an API key. Returns null if the platform refused it. */
export async function mintKey(
  dashboard: Client,
  { intent, scopes: some = scopes, environment }: NewKey,
): Promise<ApiKey | null> {
  const body = { name: 'loja', environment, scopes: some };
  const order = { action: 'create-key', method: 'POST', path: '/v1/api-keys', body } as const;
  const answer = await dashboard.ask({ ...order, intent, again: 'by key' });
  if (answer.code !== 'VALIDATION_ERROR' || some === wideScopes) return keyIn(answer);
  // A replica of an older release refuses new scopes. The key is then requested with the scopes that all
  // releases know.
  return mintKey(dashboard, { intent: `${intent} of few scopes`, scopes: wideScopes, environment });
}

export function keyIn({ isDone, data }: Answer): ApiKey | null {
  return isDone ? { id: String(data.id), key: String(data.key) } : null;
}

/** Returns an API key that is replaced by a new key when it is refused. */
async function firstKey(dashboard: Client, environment: Environment): Promise<Renewable<ApiKey>> {
  let minted = 0;
  const obtain = () => {
    minted += 1;
    return mintKey(dashboard, { environment, intent: `${environment} key ${minted} of ${Date.now()}` });
  };
  const first = await obtain();
  if (!first) throw new Error(`there is no ${environment} key to be had`);
  return renewable(first, { headersOf: headersOfKey, obtain });
}

/**
 * Returns the data of an answer. Throws if the request failed: no fault has begun yet, so the failure is an
 * error of the platform.
 */
export function requireDone({ isDone, status, code, data }: Answer): Thing {
  if (isDone) return data;
  throw new Error(`answered ${status} ${code} before anything was broken`);
}

export function inEach<T>(of: (environment: Environment) => Promise<T>): Promise<T[]> {
  return Promise.all(environments.map(of));
}
