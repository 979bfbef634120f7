import { z } from 'zod';
import { createJsonClient, type Peer, type PeerAnswer, type PeerRequest } from './json-client.ts';

/** A check right before the first byte of an order is sent. It throws when the order may not be sent. */
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

interface ProviderRequest extends Pick<PeerRequest, 'method' | 'path'> {
  /** The headers of the request, without `authorization`. */
  headers?: Record<string, string>;
  body?: unknown;
  /**
   * The check that runs after the token is fetched and right before the request is sent, because the fetch
   * may take long.
   */
  gate?: Gate;
}

export type ProviderExchange = (request: ProviderRequest) => Promise<PeerAnswer>;

interface Token {
  value: string;
  /**
   * The time from which the client fetches a new token, in milliseconds of `performance.now()`. The current
   * token expires later.
   */
  renewAt: number;
}

const TOKEN_MARGIN_MS = 60_000;

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * Creates a client for JSON requests to one peer with OAuth2 client credentials (`/oauth/token`, RFC 6749
 * section 4.4). All requests share one token until shortly before it expires. Throws `peer.unanswered()` when
 * the peer issues no token.
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
    // The margin is the time from the renewal of a token to its expiry. It is at most half of the lifetime,
    // because a token that lives less than a minute would otherwise count as expired at once.
    const marginMs = Math.min(TOKEN_MARGIN_MS, seconds * 500);
    return { value, renewAt: performance.now() + seconds * 1000 - marginMs };
  }

  /** Returns the current token. Requests that need a new one at the same time share one fetch. */
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
    // The peer may have revoked the token early. Another request may have replaced `current` already, so only
    // the refused token is dropped.
    if (current?.value === token) current = undefined;
    return send(exchange, `Bearer ${await currentToken()}`, request);
  };
}

/**
 * Creates a client for JSON requests to one peer with a secret key. The key is the user name of HTTP Basic;
 * the password is empty.
 */
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
  const { method, path, headers, body, gate } = request;
  await gate?.check();
  const own = { ...headers, authorization };
  if (body === undefined) return exchange({ method, path, headers: own });
  const json = { 'content-type': 'application/json' };
  return exchange({ method, path, headers: { ...own, ...json }, body: JSON.stringify(body) });
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
