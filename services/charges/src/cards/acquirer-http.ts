import { createKeyedExchange, type ProviderExchange } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

/** The platform's account at a card acquirer with the API of Pagar.me v5. */
export interface AcquirerAccount {
  /** The URL of the API, for example `https://api.pagar.me/core/v5`. */
  baseUrl: string;
  secretKey: string;
  /**
   * The key with which the buyer's browser exchanges a card for a token at `tokenizeUrl`. The platform never
   * gets the card number.
   */
  publicKey: string;
  tokenizeUrl: string;
  /** The time limit for a request until its whole answer has arrived. */
  timeoutMs: number;
}

/**
 * Creates a client that sends each request with an `idempotency-key`. The acquirer executes requests with the
 * same key once, and remembers a key for a day.
 */
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
