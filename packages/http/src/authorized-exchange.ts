import { z } from 'zod';
import { createJsonClient, type Peer, type PeerAnswer, type PeerRequest } from './json-client.ts';

/** Checked just before the first byte of an order leaves; throws when it may not leave. */
export interface Gate {
  check(): void | Promise<void>;
}

interface AuthorizedPeer extends Peer {
  clientId: string;
  clientSecret: string;
}

interface KeyedPeer extends Peer {
  secretKey: string;
}

/** A JSON request to a provider. */
interface ProviderRequest extends Pick<PeerRequest, 'method' | 'path'> {
  /** Beside what says who asks. */
  headers?: Record<string, string>;
  body?: unknown;
  /** Checked right before the request leaves, however long its token took. */
  mayLeave?: Gate;
}

export type ProviderExchange = (request: ProviderRequest) => Promise<PeerAnswer>;

interface Token {
  value: string;
  /** When to fetch another: before it ends, so that no request carries a dying one. */
  renewAt: number;
}

const TOKEN_MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * JSON requests to one peer with OAuth2 client credentials (`/oauth/token`, RFC 6749 section 4.4); one token serves all
 * until shortly before it ends. A token that can't be had is no definite answer either.
 */
export function createAuthorizedExchange({
  clientId,
  clientSecret,
  ...peer
}: AuthorizedPeer): ProviderExchange {
  const exchange = createJsonClient(peer);
  let current: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function fetchToken(): Promise<Token> {
    const answer = await exchange({
      method: 'POST',
      path: '/oauth/token',
      headers: {
        authorization: basic(clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const result = tokenAnswer.safeParse(answer.body);
    if (answer.status !== 200 || !result.success) throw peer.unanswered();
    const { access_token: value, expires_in: seconds } = result.data;
    // The margin of a short-lived token is half its life, because with more it would never serve twice.
    const marginMs = Math.min(TOKEN_MARGIN_MS, seconds * 500);
    return { value, renewAt: performance.now() + seconds * 1000 - marginMs };
  }

  /** However many requests need a token at once, one is fetched. */
  async function currentToken(): Promise<string> {
    if (current && current.renewAt > performance.now()) return current.value;
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    current = await fetching;
    return current.value;
  }

  return async (request) => {
    const token = await currentToken();
    const answer = await send(exchange, `Bearer ${token}`, request);
    if (answer.status !== 401) return answer;
    // The peer may have ended the token early; another request may have noticed before us.
    if (current?.value === token) current = undefined;
    return send(exchange, `Bearer ${await currentToken()}`, request);
  };
}

/** The same with a secret key, which is the user of HTTP Basic without a password. */
export function createKeyedExchange({ secretKey, ...peer }: KeyedPeer): ProviderExchange {
  const exchange = createJsonClient(peer);
  return (request) => send(exchange, basic(secretKey, ''), request);
}

type Exchange = ReturnType<typeof createJsonClient>;

async function send(
  exchange: Exchange,
  authorization: string,
  request: ProviderRequest,
): Promise<PeerAnswer> {
  const { method, path, headers, body, mayLeave } = request;
  await mayLeave?.check();
  const own = { ...headers, authorization };
  if (body === undefined) return exchange({ method, path, headers: own });
  const json = { 'content-type': 'application/json' };
  return exchange({ method, path, headers: { ...own, ...json }, body: JSON.stringify(body) });
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
