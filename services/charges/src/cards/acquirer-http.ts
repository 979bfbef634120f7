import { createKeyedExchange, type ProviderExchange } from '@plataforma/http';
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

/** Asked twice with one `idempotency-key`, the acquirer does it once; it knows a key for a day. */
export function createAcquirerHttp({ baseUrl, secretKey, timeoutMs }: AcquirerAccount): ProviderExchange {
  return createKeyedExchange({ baseUrl, secretKey, timeoutMs, unanswered: unavailable });
}

export function unusable(problem: string): Refusal {
  return new Refusal(
    'provider_fault',
    'PROVIDER_ERROR',
    `the card acquirer ${problem}; send the same request again`,
  );
}

function unavailable(): Refusal {
  const message = 'the card acquirer does not answer; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
