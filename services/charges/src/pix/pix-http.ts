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
  /** For each request with its whole answer. */
  timeoutMs: number;
}

interface PixAnswer {
  status: number;
  /** Undefined when the body is no JSON. */
  body: unknown;
}

interface Token {
  value: string;
  /** When to fetch another: before it ends, so that no request carries a dying one. */
  renewAt: number;
}

const KEEP_ALIVE_MS = 30_000;
const MAX_CONNECTIONS = 64;
const MAX_ANSWER_BYTES = 1024 * 1024;
const TOKEN_MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * Requests to a provider with OAuth2 client credentials; one token serves all until shortly before it ends. A
 * request without a definite answer (no connection, timeout, 5xx, 429) is refused with PROVIDER_UNAVAILABLE:
 * whether the provider did it is then unknown, and the caller asks again by the same txid.
 */
export function createPixHttp({ baseUrl, clientId, clientSecret, timeoutMs }: PixAccount) {
  const { origin, pathname } = new URL(baseUrl);
  const dispatcher = new Agent({
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  let held: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function call(
    method: 'GET' | 'PUT' | 'PATCH' | 'POST',
    path: string,
    init: Init,
  ): Promise<PixAnswer> {
    try {
      const response = await dispatcher.request({
        origin,
        path: pathname.replace(/\/$/, '') + path,
        method,
        headers: init.headers,
        body: init.body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.body.text();
      if (response.statusCode >= 500 || response.statusCode === 429) throw unavailable();
      return { status: response.statusCode, body: parsed(text) };
    } catch (error) {
      throw error instanceof Refusal ? error : unavailable();
    }
  }

  async function fetchToken(): Promise<Token> {
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
    // Of a short-lived token half its life is margin, or none of them would ever serve twice.
    const marginMs = Math.min(TOKEN_MARGIN_MS, seconds * 500);
    return { value, renewAt: Date.now() + seconds * 1000 - marginMs };
  }

  /** However many requests need a token at once, one is fetched. */
  async function currentToken(): Promise<string> {
    if (held && held.renewAt > Date.now()) return held.value;
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    held = await fetching;
    return held.value;
  }

  async function sendWith(token: string, { method, path, body }: PixRequest): Promise<PixAnswer> {
    return call(method, path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    async send(request: PixRequest): Promise<PixAnswer> {
      const token = await currentToken();
      const answer = await sendWith(token, request);
      if (answer.status !== 401) return answer;
      // The provider may have ended the token early; another request may have noticed before us.
      if (held?.value === token) held = undefined;
      return sendWith(await currentToken(), request);
    },
  };
}

interface PixRequest {
  method: 'GET' | 'PUT' | 'PATCH';
  path: string;
  body?: unknown;
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
