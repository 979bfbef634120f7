import { readClientTls } from '@plataforma/http';
import type { Environment } from '@plataforma/kernel';
import { measured } from '@plataforma/service';
import type { WithdrawalsConfig } from './config.ts';
import { createPayoutClient } from './payouts/payout-client.ts';
import type { PayoutClient } from './payouts/payout-provider.ts';

const prefixes = { sandbox: 'PAYOUT_SANDBOX', production: 'PAYOUT_PRODUCTION' } as const;

/** The payout provider of each environment that has one configured. */
export function payoutClients(
  config: WithdrawalsConfig,
  { timeoutMs }: { timeoutMs: number },
): Partial<Record<Environment, PayoutClient>> {
  const clientOf = (environment: Environment): PayoutClient | undefined => {
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
    const client = createPayoutClient({ baseUrl, clientId, clientSecret, pixKey, timeoutMs, ...tls });
    return measured(client, { provider: 'payout', environment });
  };
  const sandbox = clientOf('sandbox');
  const production = clientOf('production');
  return { ...(sandbox ? { sandbox } : {}), ...(production ? { production } : {}) };
}
