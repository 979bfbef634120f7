import { Refusal } from '@plataforma/kernel';
import { Agent } from 'undici';
import { z } from 'zod';

/** Our account at a Pix provider. */
export interface PixAccount {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The key payments go to. */
  pixKey: string;
}

interface PixAnswer {
  status: number;
  /** Undefined when the body is no JSON. */
  body: unknown;
}

const TIMEOUT_MS = 8_000;
const KEEP_ALIVE_MS = 30_000;
const MAX_CONNECTIONS = 64;
/** A token is renewed this long before it ends, so that no request carries a dying one. */
const TOKEN_MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * Requests to a provider with OAuth2 client credentials; one token serves all until shortly before it ends.
 * A request without a definite answer (no connection, timeout, 5xx, 429) is refused with PROVIDER_UNAVAILABLE:
 * whether the provider did it is then unknown, and the caller asks again by the same txid.
 */
export function createPixHttp({ baseUrl, clientId, clientSecret }: PixAccount) {
  const dispatcher = new Agent({ connections: MAX_CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MS });
  let token: Promise<{ value: string; endsAt: number }> | undefined;

  async function call(
    method: 'GET' | 'PUT' | 'PATCH' | 'POST',
    path: string,
    init: Init,
  ): Promise<PixAnswer> {
    try {
      const response = await dispatcher.request({
        origin: new URL(baseUrl).origin,
        path: new URL(baseUrl).pathname.replace(/\/$/, '') + path,
        method,
        headers: init.headers,
        body: init.body ?? null,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.body.text();
      if (response.statusCode >= 500 || response.statusCode === 429) throw unavailable();
      return { status: response.statusCode, body: parsed(text) };
    } catch (error) {
      throw error instanceof Refusal ? error : unavailable();
    }
  }

  async function fetchToken() {
    const answer = await call('POST', '/oauth/token', {
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const result = tokenAnswer.safeParse(answer.body);
    if (answer.status !== 200 || !result.success) throw unavailable();
    const { access_token: value, expires_in: seconds } = result.data;
    return { value, endsAt: Date.now() + seconds * 1000 - TOKEN_MARGIN_MS };
  }

  async function currentToken(): Promise<string> {
    const held = await token?.catch(() => undefined);
    if (held && held.endsAt > Date.now()) return held.value;
    token = fetchToken();
    return (await token).value;
  }

  async function sendOnce(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<PixAnswer> {
    return call(method, path, {
      headers: { authorization: `Bearer ${await currentToken()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    async send(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<PixAnswer> {
      const answer = await sendOnce(method, path, body);
      if (answer.status !== 401) return answer;
      // The provider may have ended the token early.
      token = undefined;
      return sendOnce(method, path, body);
    },
  };
}

interface Init {
  headers: Record<string, string>;
  body?: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailable(): Refusal {
  const message = 'the Pix provider does not answer; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
