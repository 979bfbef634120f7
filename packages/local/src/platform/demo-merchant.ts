import { ApiError, createClient } from '@plataforma/sdk/client';
import { retryWithBackoff, START_TIMEOUT_MS } from '../retry-with-backoff.ts';
import type { Secrets } from './secrets.ts';

type Demo = Secrets['demo'];

const DEMO_CNPJ = '34665388000161';
const CALL_TIMEOUT_MS = 30_000;

/** Returns the demo merchant with its API keys; creates the merchant at the platform's first start. */
export async function ensureDemoMerchant(baseUrl: string, { demo, operator }: Secrets): Promise<Demo> {
  if (demo.sandboxKey !== null && demo.liveKey !== null) return demo;
  const { email, password } = demo;
  const merchant = { operator, email, password, cnpj: DEMO_CNPJ };
  const keys = await retryWithBackoff(() => ensureMerchant(baseUrl, merchant), {
    target: `the gateway at ${baseUrl}`,
    timeoutMs: START_TIMEOUT_MS,
    // After a status below 500 the same request would fail again, so the request is not retried.
    isHopeless: (error) => error instanceof ApiError && error.status < 500,
  });
  return { ...demo, ...keys };
}

interface Merchant {
  operator: Secrets['operator'];
  email: string;
  password: string;
  cnpj: string;
}

/**
 * Creates a merchant that is approved, accepts cards and has no cool-down, and an API key for each
 * environment, through the public API. Skips the steps that an earlier, interrupted start has done.
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

  const asOperator = clientOf(baseUrl, await call('POST /v1/admin/auth/login', { body: operator }));
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
