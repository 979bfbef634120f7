import { type ClientTls, createAuthorizedExchange, type ProviderExchange } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

export interface PixAccount {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The Pix key that receives the payments. */
  pixKey: string;
  /**
   * The merchant's name in Pix codes. The platform writes a code itself when the provider returns only the
   * location of the charge.
   */
  merchantName: string;
  merchantCity: string;
  supportsRefunds: boolean;
  /** The longest time of a request, until its whole answer has arrived. */
  timeoutMs: number;
  /** The client certificate. API Pix requires it in production (Manual de Padrões, mTLS). */
  tls?: ClientTls;
}

export interface PixHttp {
  send: ProviderExchange;
}

/**
 * Creates a client that sends requests to a Pix provider. A request without a clear answer throws
 * PROVIDER_UNAVAILABLE, because its outcome is unknown. The caller repeats such a request with the same id.
 */
export function createPixExchange(account: PixAccount): ProviderExchange {
  return createAuthorizedExchange({ ...account, unanswered: unavailable });
}

function unavailable(): Refusal {
  const message = 'the Pix provider does not answer; send the same request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
