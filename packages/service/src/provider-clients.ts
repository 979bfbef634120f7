import type { ProviderExchange } from '@plataforma/http';
import type { ClientFor, Environment } from '@plataforma/kernel';

/**
 * The header that names the merchant of a call. The sandbox bank applies the provider faults of that
 * merchant.
 */
export const SANDBOX_MERCHANT = 'x-sandbox-merchant';

/**
 * Returns a function that returns a merchant's client. The client sends the merchant's id only if
 * `sendsMerchantId` is true, because only the sandbox bank may receive the id.
 */
export function clientsByMerchant<Client>(
  { send, sendsMerchantId }: { send: ProviderExchange; sendsMerchantId: boolean },
  clientWith: (send: ProviderExchange) => Client,
): ClientFor<Client> {
  const common = clientWith(send);
  return (merchantId) => {
    if (!sendsMerchantId || !merchantId) return common;
    const name = { [SANDBOX_MERCHANT]: merchantId };
    return clientWith((request) => send({ ...request, headers: { ...request.headers, ...name } }));
  };
}

interface Provider {
  environment: Environment;
  baseUrl: string;
  /** The URL of the sandbox bank. Undefined when this installation has no sandbox bank. */
  controlUrl: string | undefined;
}

/**
 * Returns true when the host of a provider is the sandbox bank. Other providers do not receive the names of
 * merchants.
 */
export function isSandboxBank({ environment, baseUrl, controlUrl }: Provider): boolean {
  if (environment !== 'sandbox' || controlUrl === undefined) return false;
  return new URL(baseUrl).hostname === new URL(controlUrl).hostname;
}
