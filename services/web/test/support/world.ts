import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startWeb } from '../../src/service.ts';
import type { Tuning } from '../../src/tuning.ts';
import { startFakeGateway } from './fake-gateway.ts';

const program = fileURLToPath(new URL('../../build/main.ts', import.meta.url));
const KEY = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** The headers that mark a request as one from a page of this service. */
export const OURS = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'plataforma' };

interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  cookie?: string | undefined;
}

/** The build of the pages, which runs only once for each test file. */
let built: Promise<unknown> | undefined;

/** Starts `web` with the built pages and with a fake gateway. */
export async function startWorld(settings: Record<string, string> = {}, tuning: Partial<Tuning> = {}) {
  built ??= promisify(execFile)(process.execPath, [program]);
  await built;
  const gateway = await startFakeGateway();
  const env = {
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', SEALING_KEYS: KEY },
    ...{ GATEWAY_URL: gateway.url, PUBLIC_URL: 'http://127.0.0.1:9', ...settings },
  };
  const web = await startWeb(env, tuning).catch(async (error) => {
    await gateway.stop();
    throw error;
  });

  async function call(path: string, { method = 'GET', headers = {}, body, cookie }: Sending = {}) {
    const isForm = body instanceof URLSearchParams || body instanceof FormData;
    const isPlain = typeof body === 'string' || isForm;
    const response = await fetch(web.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined || isPlain ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isPlain ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    const json = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json, code: json?.error?.code };
  }

  return {
    ...{ gateway, url: web.url, call },
    /** Logs in. Returns the session's cookie for later requests. */
    async logIn(): Promise<string> {
      const body = { email: 'ana@loja.test', password: 'right' };
      const { headers } = await call('/api/session', { method: 'POST', headers: OURS, body });
      return cookiesOf(headers);
    },
    async stop() {
      await web.stop();
      await gateway.stop();
    },
  };
}

/** Returns the cookies of an answer as a browser would send them, without deleted cookies. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');
}

export type World = Awaited<ReturnType<typeof startWorld>>;
