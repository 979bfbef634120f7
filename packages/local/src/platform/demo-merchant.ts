import { ApiError, createClient } from '@plataforma/sdk/client';
import { type OperatorLogin, operatorToken, withSecondFactor } from '../operator-login.ts';
import { retryWithBackoff, START_TIMEOUT_MS } from '../retry-with-backoff.ts';
import type { Secrets } from './secrets.ts';

type Demo = Secrets['demo'];

const DEMO_CNPJ = '34665388000161';
const CALL_TIMEOUT_MS = 30_000;

/**
 * Returns the secrets with the operator's second factor and the demo merchant's API keys. The first start of
 * the platform creates both. `remember` stores the factor's secret before the factor is enrolled.
 */
export async function ensureAccounts(
  baseUrl: string,
  secrets: Secrets,
  remember: (secrets: Secrets) => Promise<void>,
): Promise<Secrets> {
  const untilAnswered = <T>(work: () => Promise<T>) =>
    retryWithBackoff(work, {
      target: `the gateway at ${baseUrl}`,
      timeoutMs: START_TIMEOUT_MS,
      // After a status below 500 the same request would fail again, so the request is not retried.
      isHopeless: (error) => error instanceof ApiError && error.status < 500,
    });
  const operator = await untilAnswered(() => withSecondFactor(baseUrl, secrets.operator));
  await remember({ ...secrets, operator });
  const demo = await untilAnswered(() => ensureDemoMerchant(baseUrl, { ...secrets, operator }));
  await remember({ ...secrets, operator, demo });
  return { ...secrets, operator, demo };
}

async function ensureDemoMerchant(baseUrl: string, { demo, operator }: Secrets): Promise<Demo> {
  if (demo.sandboxKey !== null && demo.liveKey !== null) return demo;
  const { email, password } = demo;
  return { ...demo, ...(await ensureMerchant(baseUrl, { operator, email, password, cnpj: DEMO_CNPJ })) };
}

interface Merchant {
  operator: OperatorLogin;
  email: string;
  password: string;
  cnpj: string;
}

/**
 * Creates an approved merchant that accepts cards and has no cool-down, and an API key for each environment.
 * Uses the public API, and skips the steps that an earlier, interrupted start has done.
 */
export async function ensureMerchant(
  baseUrl: string,
  { operator, email, password, cnpj }: Merchant,
): Promise<{ sandboxKey: string; liveKey: string }> {
  const call = clientOf(baseUrl);
  const registration = { email, password, companyName: 'Loja Demonstração', cnpj, phone: '11987654321' };
  await call('POST /v1/auth/register', { body: registration }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  });

  const asOperator = clientOf(baseUrl, { accessToken: await operatorToken(baseUrl, operator) });
  const { data } = await asOperator('GET /v1/admin/merchants', { query: { search: cnpj } });
  for (const { id, status } of data.slice(0, 1)) {
    const params = { id };
    if (status === 'PENDING') await asOperator('POST /v1/admin/merchants/:id/approve', { params });
    const body = { cardEnabled: true, destinationCooldownHours: 0 };
    await asOperator('PATCH /v1/admin/merchants/:id/settings', { params, body });
  }
  const asMerchant = clientOf(baseUrl, await call('POST /v1/auth/login', { body: { email, password } }));
  const mint = async (environment: 'sandbox' | 'production') => {
    const { key } = await asMerchant('POST /v1/api-keys', { body: { name: 'Demo', environment } });
    return key;
  };
  return { sandboxKey: await mint('sandbox'), liveKey: await mint('production') };
}

function clientOf(baseUrl: string, session?: { accessToken: string }) {
  return createClient({
    baseUrl,
    headers: session ? { authorization: `Bearer ${session.accessToken}` } : {},
    fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }),
  });
}
