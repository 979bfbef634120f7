import { z } from 'zod';
import { patiently, START_TIMEOUT_MS } from '../patience.ts';
import type { Secrets } from './secrets.ts';

type Demo = Secrets['demo'];

const DEMO_CNPJ = '34665388000161';
const token = z.object({ accessToken: z.string() });
const merchants = z.array(z.object({ id: z.string(), status: z.string() }));
const key = z.object({ key: z.string() });

/** The demo merchant with its keys; made at the first start, found again at the next. */
export async function ensureDemoMerchant(baseUrl: string, { demo, operator }: Secrets): Promise<Demo> {
  if (demo.sandboxKey !== null && demo.liveKey !== null) return demo;
  const { email, password } = demo;
  const merchant = { operator, email, password, cnpj: DEMO_CNPJ };
  const keys = await patiently(() => ensureMerchant(baseUrl, merchant), {
    what: `the gateway at ${baseUrl}`,
    timeoutMs: START_TIMEOUT_MS,
    isHopeless: (error) => error instanceof Refused,
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
 * Makes sure that there is an approved merchant with cards, through the same API as everybody, and mints a key for
 * each environment. Each step may have been done by a start that was interrupted.
 */
export async function ensureMerchant(
  baseUrl: string,
  { operator, email, password, cnpj }: Merchant,
): Promise<{ sandboxKey: string; liveKey: string }> {
  const registration = { email, password, companyName: 'Loja Demonstração', cnpj, phone: '11987654321' };
  await call(baseUrl, { path: '/v1/auth/register', body: registration, mayConflict: true });

  const admin = token.parse(await call(baseUrl, { path: '/v1/admin/auth/login', body: operator }));
  const search = { path: `/v1/admin/merchants?search=${cnpj}`, bearer: admin.accessToken };
  const [merchant] = merchants.parse(await call(baseUrl, search));
  if (merchant?.status === 'PENDING') {
    await call(baseUrl, {
      path: `/v1/admin/merchants/${merchant.id}/approve`,
      body: {},
      bearer: admin.accessToken,
    });
  }
  if (merchant) {
    await call(baseUrl, {
      path: `/v1/admin/merchants/${merchant.id}/settings`,
      method: 'PATCH',
      body: { cardEnabled: true },
      bearer: admin.accessToken,
    });
  }
  const { accessToken } = token.parse(
    await call(baseUrl, { path: '/v1/auth/login', body: { email, password } }),
  );
  const mint = async (environment: 'sandbox' | 'production') => {
    const body = { name: 'Demo', environment };
    return key.parse(await call(baseUrl, { path: '/v1/api-keys', body, bearer: accessToken })).key;
  };
  return { sandboxKey: await mint('sandbox'), liveKey: await mint('production') };
}

/** By an answer that would be the same the next time. */
class Refused extends Error {}

const CALL_TIMEOUT_MS = 30_000;

interface ApiCall {
  path: string;
  /** POST with a body, GET without one, when left out. */
  method?: 'PATCH';
  body?: object;
  bearer?: string;
  mayConflict?: boolean;
}

async function call(baseUrl: string, { path, method, body, bearer, mayConflict }: ApiCall): Promise<unknown> {
  const response = await fetch(baseUrl + path, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { 'content-type': 'application/json', ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const answer = z.object({ data: z.unknown().optional() }).parse(await response.json());
  if (response.ok || (mayConflict && response.status === 409)) return answer.data;
  const what = `${path} answered ${response.status}`;
  throw response.status < 500 ? new Refused(what) : new Error(what);
}
