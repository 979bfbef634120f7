import type { DatabaseUrls } from './databases.ts';
import type { Secrets } from './secrets.ts';

export const serviceNames = [
  'gateway',
  'charges',
  'withdrawals',
  'ledger',
  'webhooks',
  'sandbox-psp',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Everything that listens: a port each. */
export const listeners = [...serviceNames, 'gateway-internal', 'sandbox-control'] as const;
export type ListenerName = (typeof listeners)[number];

export interface Surroundings {
  secrets: Secrets;
  ports: Record<ListenerName, number>;
  databaseUrls: DatabaseUrls<ServiceName>;
  brokerUrl: string;
  logLevel: string;
}

const local = (port: number) => `http://127.0.0.1:${port}`;

/** The environment of each service of a platform on this machine. */
export function settingsOf(name: ServiceName, surroundings: Surroundings): Record<string, string> {
  const { ports, databaseUrls, brokerUrl, logLevel } = surroundings;
  return {
    HOST: '127.0.0.1',
    PORT: String(ports[name]),
    DATABASE_URL: databaseUrls.application[name],
    MIGRATION_DATABASE_URL: databaseUrls.owner[name],
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: logLevel,
    AMQP_URL: brokerUrl,
    ...own[name](surroundings),
  };
}

/** All callers of one's own machine have one address. */
const NO_LIMITS = {
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  CONNECTIONS_PER_ADDRESS: '1000000',
  LOGIN_LIMIT_PER_ADDRESS: '1000000',
  LOGIN_LIMIT_PER_ACCOUNT: '10000',
};

const own: Record<ServiceName, (surroundings: Surroundings) => Record<string, string>> = {
  gateway: ({ ports, secrets }) => ({
    INTERNAL_PORT: String(ports['gateway-internal']),
    SERVICE_KEY: secrets.keys.gateway.privateKey,
    SEALING_KEYS: `local:${secrets.sealingKey}`,
    TRUSTED_KEYS: publicKeys(secrets, 'charges', 'withdrawals'),
    CHARGES_URL: local(ports.charges),
    WITHDRAWALS_URL: local(ports.withdrawals),
    LEDGER_URL: local(ports.ledger),
    WEBHOOKS_URL: local(ports.webhooks),
    OPERATOR_EMAIL: secrets.operator.email,
    OPERATOR_PASSWORD: secrets.operator.password,
    ...NO_LIMITS,
  }),
  charges: ({ ports, secrets }) => ({
    SERVICE_KEY: secrets.keys.charges.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway'),
    GATEWAY_INTERNAL_URL: local(ports['gateway-internal']),
    LEDGER_URL: local(ports.ledger),
    PIX_CALLBACK_SECRET: secrets.callbackSecret,
    ...providerSettings('PIX_SANDBOX', 'sandbox', { ports, secrets }),
    // On one's own machine nothing is real: the live environment's provider is the sandbox provider as well.
    ...providerSettings('PIX_PRODUCTION', 'production', { ports, secrets }),
    ...cardSettings('CARD_SANDBOX', 'sandbox', { ports, secrets }),
    ...cardSettings('CARD_PRODUCTION', 'production', { ports, secrets }),
    SANDBOX_CONTROL_URL: local(ports['sandbox-control']),
  }),
  withdrawals: ({ ports, secrets }) => ({
    SERVICE_KEY: secrets.keys.withdrawals.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway'),
    GATEWAY_INTERNAL_URL: local(ports['gateway-internal']),
    LEDGER_URL: local(ports.ledger),
    PAYOUT_CALLBACK_SECRET: secrets.callbackSecret,
    ...providerSettings('PAYOUT_SANDBOX', 'sandbox', { ports, secrets }),
    ...providerSettings('PAYOUT_PRODUCTION', 'production', { ports, secrets }),
    QR_TRUSTED_HOSTS: `127.0.0.1:${ports['sandbox-psp']}`,
  }),
  ledger: ({ secrets }) => ({ TRUSTED_KEYS: publicKeys(secrets, 'gateway', 'charges', 'withdrawals') }),
  webhooks: ({ secrets }) => ({
    TRUSTED_KEYS: publicKeys(secrets, 'gateway'),
    WEBHOOK_SECRET_KEYS: `local:${secrets.webhookKey}`,
    WEBHOOK_ALLOW_INSECURE: 'true',
  }),
  'sandbox-psp': ({ ports, secrets }) => ({
    CONTROL_PORT: String(ports['sandbox-control']),
    PUBLIC_URL: local(ports['sandbox-psp']),
    CLIENTS: JSON.stringify(
      (['sandbox', 'production'] as const).map((account) => ({
        id: account,
        secret: secrets.providerSecret,
        pixKey: pixKeyOf(account),
        callbackUrl: `${local(ports.gateway)}/callbacks/pix/${secrets.callbackSecret}`,
        payoutCallbackUrl: `${local(ports.gateway)}/callbacks/payouts/${secrets.callbackSecret}`,
        cards: {
          publicKey: `pk_${account}_local`,
          secretKey: `${account}_${secrets.providerSecret}`,
          callbackUrl: `${local(ports.gateway)}/callbacks/acquirer/${secrets.callbackSecret}`,
        },
      })),
    ),
  }),
};

function providerSettings(
  prefix: string,
  account: 'sandbox' | 'production',
  { ports, secrets }: Pick<Surroundings, 'ports' | 'secrets'>,
): Record<string, string> {
  return {
    [`${prefix}_URL`]: local(ports['sandbox-psp']),
    [`${prefix}_CLIENT_ID`]: account,
    [`${prefix}_CLIENT_SECRET`]: secrets.providerSecret,
    [`${prefix}_KEY`]: pixKeyOf(account),
  };
}

function cardSettings(
  prefix: string,
  account: 'sandbox' | 'production',
  { ports, secrets }: Pick<Surroundings, 'ports' | 'secrets'>,
): Record<string, string> {
  const url = `${local(ports['sandbox-psp'])}/core/v5`;
  return {
    [`${prefix}_URL`]: url,
    [`${prefix}_SECRET_KEY`]: `${account}_${secrets.providerSecret}`,
    [`${prefix}_PUBLIC_KEY`]: `pk_${account}_local`,
    [`${prefix}_TOKENIZE_URL`]: `${url}/tokens`,
  };
}

/** Our own key at the provider: where payments of an account go. */
export function pixKeyOf(account: string): string {
  return `${account}@plataforma.test`;
}

function publicKeys({ keys }: Secrets, ...names: (keyof Secrets['keys'])[]): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, keys[name].publicKey])));
}
