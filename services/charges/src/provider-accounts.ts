import { readClientTls } from '@plataforma/http';
import type { Environment } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { measured } from '@plataforma/service';
import { type AcquirerClient, createAcquirerClient } from './cards/acquirer-client.ts';
import type { ChargesConfig } from './config.ts';
import { createPixClient, type PixClient } from './pix/pix-client.ts';

const prefixes = { sandbox: 'SANDBOX', production: 'PRODUCTION' } as const;

interface Wiring {
  timeoutMs: number;
  log: Log;
}

/** The Pix provider of each environment that has one configured. */
export function pixClients(
  config: ChargesConfig,
  { timeoutMs, log }: Wiring,
): Partial<Record<Environment, PixClient>> {
  const clientOf = (environment: Environment): PixClient | undefined => {
    const prefix = `PIX_${prefixes[environment]}` as const;
    const baseUrl = config[`${prefix}_URL`];
    const pixKey = config[`${prefix}_KEY`];
    const clientId = config[`${prefix}_CLIENT_ID`];
    const clientSecret = config[`${prefix}_CLIENT_SECRET`];
    if (!baseUrl || !clientId || !clientSecret || !pixKey) return undefined;
    const account = { baseUrl, clientId, clientSecret, pixKey, supportsRefunds: config[`${prefix}_REFUNDS`] };
    const merchant = { merchantName: config.PIX_MERCHANT_NAME, merchantCity: config.PIX_MERCHANT_CITY };
    const client = createPixClient({ ...account, ...merchant, timeoutMs, ...tlsOf(config, prefix) }, log);
    return measured(client, { provider: 'pix', environment });
  };
  return perConfigured(clientOf);
}

/** The card acquirer of each environment that has one configured. */
export function acquirerClients(
  config: ChargesConfig,
  { timeoutMs }: Pick<Wiring, 'timeoutMs'>,
): Partial<Record<Environment, AcquirerClient>> {
  const clientOf = (environment: Environment): AcquirerClient | undefined => {
    const prefix = `CARD_${prefixes[environment]}` as const;
    const baseUrl = config[`${prefix}_URL`];
    const secretKey = config[`${prefix}_SECRET_KEY`];
    const publicKey = config[`${prefix}_PUBLIC_KEY`];
    const tokenizeUrl = config[`${prefix}_TOKENIZE_URL`];
    if (!baseUrl || !secretKey || !publicKey || !tokenizeUrl) return undefined;
    const client = createAcquirerClient({ baseUrl, secretKey, publicKey, tokenizeUrl, timeoutMs });
    return measured(client, { provider: 'card', environment });
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
