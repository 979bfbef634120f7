import { Refusal } from '@plataforma/kernel';
import { z } from 'zod';
import { type Answer, type ClientTls, createExchange, type Message } from '../outside/exchange.ts';

/** Our account at a Pix provider. */
export interface PixAccount {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The key payments go to. */
  pixKey: string;
  /** Written into the codes of a provider that gives only a location. */
  merchantName: string;
  merchantCity: string;
  /** Whether it returns money through its API. */
  supportsRefunds: boolean;
  /** For each request with its whole answer. */
  timeoutMs: number;
  /** API Pix asks for it in production (Manual de Padrões, mTLS). */
  tls?: ClientTls;
}

export interface PixHttp {
  send(request: PixRequest): Promise<Answer>;
}

interface PixRequest extends Pick<Message, 'method' | 'path'> {
  body?: unknown;
}

interface Token {
  value: string;
  /** When to fetch another: before it ends, so that no request carries a dying one. */
  renewAt: number;
}

const TOKEN_MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * Requests to a provider with OAuth2 client credentials; one token serves all until shortly before it ends. A
 * request without a definite answer is refused with PROVIDER_UNAVAILABLE: whether the provider did it is then
 * unknown, and the caller asks again by the same id.
 */
export function createPixHttp({ baseUrl, clientId, clientSecret, timeoutMs, tls }: PixAccount): PixHttp {
  const exchange = createExchange({ baseUrl, timeoutMs, tls, unanswered: unavailable });
  let held: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function fetchToken(): Promise<Token> {
    const answer = await exchange({
      method: 'POST',
      path: '/oauth/token',
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

  async function sendWith(token: string, { method, path, body }: PixRequest): Promise<Answer> {
    return exchange({
      method,
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    async send(request) {
      const token = await currentToken();
      const answer = await sendWith(token, request);
      if (answer.status !== 401) return answer;
      // The provider may have ended the token early; another request may have noticed before us.
      if (held?.value === token) held = undefined;
      return sendWith(await currentToken(), request);
    },
  };
}

function unavailable(): Refusal {
  const message = 'the Pix provider does not answer; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
