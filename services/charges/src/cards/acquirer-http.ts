import { createExchange, type Gate, type PeerAnswer, type PeerRequest } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

/** Our account at a card acquirer that speaks as Pagar.me v5 does. */
export interface AcquirerAccount {
  /** Like `https://api.pagar.me/core/v5`. */
  baseUrl: string;
  secretKey: string;
  /** With it a buyer's browser makes a token of a card at `tokenizeUrl`; no card comes to us. */
  publicKey: string;
  tokenizeUrl: string;
  /** For each request with its whole answer. */
  timeoutMs: number;
}

interface AcquirerRequest extends Pick<PeerRequest, 'method' | 'path'> {
  /** Asked twice with one of these, the acquirer does it once; it remembers them for a day. */
  idempotencyKey?: string;
  body?: unknown;
  /** Demanded right before the request leaves. */
  lease?: Gate;
}

export type AcquirerHttp = (request: AcquirerRequest) => Promise<PeerAnswer>;

/** Requests with the secret key as the user of HTTP Basic, and no password. */
export function createAcquirerHttp({ baseUrl, secretKey, timeoutMs }: AcquirerAccount): AcquirerHttp {
  const exchange = createExchange({ baseUrl, timeoutMs, unanswered: unavailable });
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
  return async ({ method, path, idempotencyKey, body, lease }) => {
    await lease?.demand();
    return exchange({
      method,
      path,
      headers: {
        authorization,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
}

export function unusable(what: string): Refusal {
  return new Refusal(
    'provider_fault',
    'PROVIDER_ERROR',
    `the card acquirer ${what}; send the same request again`,
  );
}

function unavailable(): Refusal {
  const message = 'the card acquirer does not answer; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
