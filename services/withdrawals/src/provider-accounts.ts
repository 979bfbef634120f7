import { readClientTls } from '@plataforma/http';
import type { ClientFor, Environment } from '@plataforma/kernel';
import { clientsByMerchant, isSandboxBank, measured } from '@plataforma/service';
import type { WithdrawalsConfig } from './config.ts';
import { createEfiExchange, createEfiPayouts } from './payouts/efi-payouts.ts';
import type { RecipientClient } from './payouts/efi-recipients.ts';
import type { PayoutClient } from './payouts/payout-client.ts';

type ProviderClient = ClientFor<PayoutClient & RecipientClient>;

const prefixes = { sandbox: 'PAYOUT_SANDBOX', production: 'PAYOUT_PRODUCTION' } as const;

export function payoutClients(
  config: WithdrawalsConfig,
  { timeoutMs }: { timeoutMs: number },
): Partial<Record<Environment, ProviderClient>> {
  const clientOf = (environment: Environment): ProviderClient | undefined => {
    const prefix = prefixes[environment];
    const baseUrl = config[`${prefix}_URL`];
    const clientId = config[`${prefix}_CLIENT_ID`];
    const clientSecret = config[`${prefix}_CLIENT_SECRET`];
    const pixKey = config[`${prefix}_KEY`];
    if (!baseUrl || !clientId || !clientSecret || !pixKey) return undefined;
    const tls = readClientTls({
      certFile: config[`${prefix}_CERT_FILE`],
      keyFile: config[`${prefix}_KEY_FILE`],
      caFile: config[`${prefix}_CA_FILE`],
    });
    const account = { baseUrl, clientId, clientSecret, pixKey, timeoutMs, ...tls };
    const about = { provider: 'payout', environment };
    const sendsMerchantId = isSandboxBank({ environment, baseUrl, controlUrl: config.SANDBOX_CONTROL_URL });
    const calls = { send: createEfiExchange(account), sendsMerchantId };
    return clientsByMerchant(calls, (send) => measured(createEfiPayouts(account, send), about));
  };
  const sandbox = clientOf('sandbox');
  const production = clientOf('production');
  return { ...(sandbox ? { sandbox } : {}), ...(production ? { production } : {}) };
}
