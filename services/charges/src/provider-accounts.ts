import { readClientTls } from '@plataforma/http';
import type { ClientFor, Environment } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { clientsByMerchant, isSandboxBank, measured } from '@plataforma/service';
import { type AcquirerClient, createAcquirerClient } from './cards/acquirer-client.ts';
import { createAcquirerHttp } from './cards/acquirer-http.ts';
import type { ChargesConfig } from './config.ts';
import { createPixClient, type PixClient } from './pix/pix-client.ts';
import { createPixExchange } from './pix/pix-http.ts';

const prefixes = { sandbox: 'SANDBOX', production: 'PRODUCTION' } as const;

interface Wiring {
  timeoutMs: number;
  log: Log;
}

export function pixClients(
  config: ChargesConfig,
  { timeoutMs, log }: Wiring,
): Partial<Record<Environment, ClientFor<PixClient>>> {
  const clientOf = (environment: Environment): ClientFor<PixClient> | undefined => {
    const prefix = `PIX_${prefixes[environment]}` as const;
    const baseUrl = config[`${prefix}_URL`];
    const pixKey = config[`${prefix}_KEY`];
    const clientId = config[`${prefix}_CLIENT_ID`];
    const clientSecret = config[`${prefix}_CLIENT_SECRET`];
    if (!baseUrl || !clientId || !clientSecret || !pixKey) return undefined;
    const own = { baseUrl, clientId, clientSecret, pixKey, supportsRefunds: config[`${prefix}_REFUNDS`] };
    const merchant = { merchantName: config.PIX_MERCHANT_NAME, merchantCity: config.PIX_MERCHANT_CITY };
    const account = { ...own, ...merchant, timeoutMs, ...tlsOf(config, prefix) };
    const about = { provider: 'pix', environment };
    const calls = {
      send: createPixExchange(account),
      sendsMerchantId: isSandboxBank({ environment, baseUrl, controlUrl: config.SANDBOX_CONTROL_URL }),
    };
    return clientsByMerchant(calls, (send) => measured(createPixClient(account, { log, send }), about));
  };
  return perConfigured(clientOf);
}

export function acquirerClients(
  config: ChargesConfig,
  { timeoutMs }: Pick<Wiring, 'timeoutMs'>,
): Partial<Record<Environment, ClientFor<AcquirerClient>>> {
  const clientOf = (environment: Environment): ClientFor<AcquirerClient> | undefined => {
    const prefix = `CARD_${prefixes[environment]}` as const;
    const baseUrl = config[`${prefix}_URL`];
    const secretKey = config[`${prefix}_SECRET_KEY`];
    const publicKey = config[`${prefix}_PUBLIC_KEY`];
    const tokenizeUrl = config[`${prefix}_TOKENIZE_URL`];
    if (!baseUrl || !secretKey || !publicKey || !tokenizeUrl) return undefined;
    const account = { baseUrl, secretKey, publicKey, tokenizeUrl, timeoutMs };
    const about = { provider: 'card', environment };
    const calls = {
      send: createAcquirerHttp(account),
      sendsMerchantId: isSandboxBank({ environment, baseUrl, controlUrl: config.SANDBOX_CONTROL_URL }),
    };
    return clientsByMerchant(calls, (send) => measured(createAcquirerClient(account, send), about));
  };
  return perConfigured(clientOf);
}

function tlsOf(config: ChargesConfig, prefix: 'PIX_SANDBOX' | 'PIX_PRODUCTION') {
  return readClientTls({
    certFile: config[`${prefix}_CERT_FILE`],
    keyFile: config[`${prefix}_KEY_FILE`],
    caFile: config[`${prefix}_CA_FILE`],
  });
}

function perConfigured<Client>(clientOf: (environment: Environment) => Client | undefined) {
  const sandbox = clientOf('sandbox');
  const production = clientOf('production');
  return { ...(sandbox ? { sandbox } : {}), ...(production ? { production } : {}) };
}
