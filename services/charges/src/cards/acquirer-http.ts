import { createKeyedExchange, type ProviderExchange } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

/** The platform's account at a card acquirer with the API of Pagar.me v5. */
export interface AcquirerAccount {
  /** For example `https://api.pagar.me/core/v5`. */
  baseUrl: string;
  secretKey: string;
  /**
   * The buyer's browser exchanges a card for a token at `tokenizeUrl` with this key. The platform never sees
   * the card.
   */
  publicKey: string;
  tokenizeUrl: string;
  /** The timeout of a request including its whole answer. */
  timeoutMs: number;
}

/**
 * Sends requests with an `idempotency-key`. The acquirer executes a repeated key once, and remembers it for a
 * day.
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
