import { type ClientTls, createAuthorizedExchange, type ProviderExchange } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

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
  send: ProviderExchange;
}

/**
 * Requests to a Pix provider. One without a definite answer is refused with PROVIDER_UNAVAILABLE: whether the provider
 * did it is then unknown, and the caller asks again by the same id.
 */
export function createPixExchange(account: PixAccount): ProviderExchange {
  return createAuthorizedExchange({ ...account, unanswered: unavailable });
}

function unavailable(): Refusal {
  const message = 'the Pix provider does not answer; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
