import type { BrokerUser } from '@plataforma/events';
import { isBrokerUser, urlOfBrokerUser } from '../broker-users.ts';
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

export const listeners = [...serviceNames, 'gateway-internal', 'sandbox-control', 'web'] as const;
export type ListenerName = (typeof listeners)[number];
export type Ports = Record<ListenerName, number>;

export interface Surroundings {
  secrets: Secrets;
  /** The ports at which callers reach the listeners. */
  ports: Ports;
  /** Returns the host of a listener. The default is this machine. */
  hostOf?: (name: ListenerName) => string;
  /** The sandbox provider's URL for the browsers of buyers, if it differs from the URL that services use. */
  browserUrl?: string | undefined;
  /**
   * The URLs contain only the services' own roles, because no service gets the URL of the role that migrates.
   */
  databaseUrls: Pick<DatabaseUrls<ServiceName>, 'application'>;
  /** The broker's URL with its administrator's name and password. Without `hasUsers`, all services use it. */
  broker: { url: string; hasUsers: boolean };
  logLevel: string;
  drainMs: number;
  /** True if `web` runs and sends the requests of browsers to the gateway. */
  hasWeb?: boolean | undefined;
  /** The URL at which browsers reach `web`. The default is the port of `web` on this machine. */
  webUrl?: string | undefined;
  /** The gateway's URL for programs on this machine, if it differs from the URL that services use. */
  apiUrl?: string | undefined;
  /** Raises the limits of requests, connections and log-ins. The default limits are those of production. */
  limits?: 'lifted' | undefined;
}

type Network = Pick<Surroundings, 'ports' | 'hostOf'>;

const LOOPBACK = '127.0.0.1';
/** A service in a container listens on all network interfaces of the container. */
const EVERYWHERE = '0.0.0.0';
/** The private address ranges of container networks, which other machines can't reach. */
const OF_CONTAINERS = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16';

const addressOf = ({ ports, hostOf }: Network, name: ListenerName) =>
  `${hostOf?.(name) ?? LOOPBACK}:${ports[name]}`;
const webUrlOf = ({ ports, webUrl }: Pick<Surroundings, 'ports' | 'webUrl'>) =>
  webUrl ?? `http://${LOOPBACK}:${ports.web}`;
const urlOf = (network: Network, name: ListenerName) => `http://${addressOf(network, name)}`;

/** Returns the environment of a service's process. `own` are the ports on which this replica listens. */
export function settingsOf(
  name: ServiceName,
  surroundings: Surroundings,
  own: Ports = surroundings.ports,
): Record<string, string> {
  const { hostOf, databaseUrls, logLevel, drainMs } = surroundings;
  return {
    HOST: hostOf ? EVERYWHERE : LOOPBACK,
    PORT: String(own[name]),
    DRAIN_MS: String(drainMs),
    DATABASE_URL: databaseUrls.application[name],
    LOG_LEVEL: logLevel,
    ...brokerSettings(name, surroundings),
    ...(name !== 'sandbox-psp' && { ROW_KEYS: rowKeysOf(surroundings.secrets, name) }),
    ...settings[name](surroundings, own),
  };
}

/** Returns the environment of `web`, which has no database and always runs as one process. */
export function webSettingsOf({
  secrets,
  logLevel,
  broker,
  limits,
  ...network
}: Omit<Surroundings, 'databaseUrls' | 'drainMs'>): Record<string, string> {
  return {
    HOST: network.hostOf ? EVERYWHERE : LOOPBACK,
    PORT: String(network.ports.web),
    LOG_LEVEL: logLevel,
    GATEWAY_URL: urlOf(network, 'gateway'),
    ...signedEvents(secrets, 'gateway', 'charges', 'withdrawals', 'ledger'),
    SEALING_KEYS: `local:${secrets.webKey}`,
    PUBLIC_URL: webUrlOf(network),
    PUBLIC_API_URL: network.apiUrl ?? urlOf(network, 'gateway'),
    AMQP_URL: addressFor('web', broker),
    ...(limits === 'lifted' && liftedConnections),
    ...installationSettings(),
  };
}

/** The settings about the platform's operator, which `npm start` and Compose pass on to `web`. */
const INSTALLATION = ['BRAND_NAME', 'PRIVACY_URL', 'TERMS_URL', 'SUPPORT_URL'];

function installationSettings(): Record<string, string> {
  return Object.fromEntries(
    INSTALLATION.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/**
 * Returns the broker's URL for a service, or no setting if the service neither publishes nor subscribes to
 * events.
 */
function brokerSettings(name: ServiceName, { broker }: Surroundings): Record<string, string> {
  if (!isBrokerUser(name)) return {};
  return { AMQP_URL: addressFor(name, broker) };
}

function addressFor(user: BrokerUser, { url, hasUsers }: Surroundings['broker']): string {
  return hasUsers ? urlOfBrokerUser(user, url) : url;
}

/** Limits that tests and benchmarks do not reach, although all their callers have the same address. */
const liftedConnections = { CONNECTIONS_PER_ADDRESS: '1000000' };
const liftedLimits = {
  ...liftedConnections,
  RATE_LIMIT_PER_KEY: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  LOGIN_LIMIT_PER_ADDRESS: '1000000',
  LOGIN_LIMIT_PER_ACCOUNT: '10000',
};

const settings: Record<ServiceName, (surroundings: Surroundings, own: Ports) => Record<string, string>> = {
  gateway: ({ secrets, limits, hasWeb, ...network }, own) => ({
    INTERNAL_PORT: String(own['gateway-internal']),
    SERVICE_KEY: secrets.keys.gateway.privateKey,
    SEALING_KEYS: `local:${secrets.sealingKey}`,
    TRUSTED_KEYS: publicKeys(secrets, 'charges', 'withdrawals', 'ledger'),
    ...signedEvents(secrets, 'charges', 'withdrawals', 'ledger', 'webhooks'),
    CHARGES_URL: urlOf(network, 'charges'),
    WITHDRAWALS_URL: urlOf(network, 'withdrawals'),
    LEDGER_URL: urlOf(network, 'ledger'),
    WEBHOOKS_URL: urlOf(network, 'webhooks'),
    OPERATOR_EMAIL: secrets.operator.email,
    OPERATOR_PASSWORD: secrets.operator.password,
    SINGLE_OPERATOR: 'true',
    // The gateway accepts the caller's address that `web` reports, because `web` is a trusted proxy.
    ...(hasWeb && {
      TRUSTED_PROXIES: network.hostOf ? OF_CONTAINERS : LOOPBACK,
      WEB_URL: webUrlOf(network),
      // Passkeys need a name, and browsers allow http only at localhost.
      OPERATOR_ORIGINS: webUrlOf(network).replace(LOOPBACK, 'localhost'),
    }),
    ...(limits === 'lifted' ? liftedLimits : {}),
  }),
  charges: ({ secrets, browserUrl, hasWeb, ...network }) => ({
    SERVICE_KEY: secrets.keys.charges.privateKey,
    SEALING_KEYS: `local:${secrets.fileKey}`,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway', 'withdrawals'),
    ...signedEvents(secrets, 'gateway', 'withdrawals', 'ledger', 'webhooks'),
    GATEWAY_INTERNAL_URL: urlOf(network, 'gateway-internal'),
    LEDGER_URL: urlOf(network, 'ledger'),
    WEBHOOKS_URL: urlOf(network, 'webhooks'),
    PIX_CALLBACK_SECRET: secrets.callbackSecret,
    ...(hasWeb && { PUBLIC_CHECKOUT_URL: webUrlOf(network) }),
    ...providerSettings('PIX_SANDBOX', 'sandbox', { secrets, ...network }),
    // The sandbox and the production environment both use the sandbox provider, because a developer's machine
    // moves no real money.
    ...providerSettings('PIX_PRODUCTION', 'production', { secrets, ...network }),
    ...cardSettings('CARD_SANDBOX', 'sandbox', { secrets, browserUrl, ...network }),
    ...cardSettings('CARD_PRODUCTION', 'production', { secrets, browserUrl, ...network }),
    SANDBOX_CONTROL_URL: urlOf(network, 'sandbox-control'),
  }),
  withdrawals: ({ secrets, ...network }) => ({
    SERVICE_KEY: secrets.keys.withdrawals.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway'),
    ...signedEvents(secrets, 'gateway', 'charges', 'ledger', 'webhooks'),
    GATEWAY_INTERNAL_URL: urlOf(network, 'gateway-internal'),
    LEDGER_URL: urlOf(network, 'ledger'),
    CHARGES_URL: urlOf(network, 'charges'),
    WEBHOOKS_URL: urlOf(network, 'webhooks'),
    PAYOUT_CALLBACK_SECRET: secrets.callbackSecret,
    ...providerSettings('PAYOUT_SANDBOX', 'sandbox', { secrets, ...network }),
    ...providerSettings('PAYOUT_PRODUCTION', 'production', { secrets, ...network }),
    QR_TRUSTED_HOSTS: addressOf(network, 'sandbox-psp'),
    SANDBOX_CONTROL_URL: urlOf(network, 'sandbox-control'),
  }),
  ledger: ({ secrets, ...network }) => ({
    GATEWAY_INTERNAL_URL: urlOf(network, 'gateway-internal'),
    WEBHOOKS_URL: urlOf(network, 'webhooks'),
    SERVICE_KEY: secrets.keys.ledger.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway', 'charges', 'withdrawals'),
    ...signedEvents(secrets, 'gateway', 'charges', 'withdrawals', 'webhooks'),
  }),
  webhooks: ({ secrets }) => ({
    SERVICE_KEY: secrets.keys.webhooks.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway', 'charges', 'withdrawals', 'ledger'),
    ...signedEvents(secrets, 'gateway', 'charges', 'withdrawals', 'ledger'),
    WEBHOOK_SECRET_KEYS: `local:${secrets.webhookKey}`,
    WEBHOOK_ALLOW_INSECURE: 'true',
  }),
  'sandbox-psp': ({ secrets, limits, ...network }) => ({
    ...(limits === 'lifted' && liftedConnections),
    CONTROL_HOST: network.hostOf ? EVERYWHERE : LOOPBACK,
    CONTROL_PORT: String(network.ports['sandbox-control']),
    PUBLIC_URL: urlOf(network, 'sandbox-psp'),
    // The images run in production mode, in which the sandbox provider starts only with this setting. The
    // provider moves no real money.
    ALLOW_IN_PRODUCTION: 'true',
    CLIENTS: JSON.stringify(
      (['sandbox', 'production'] as const).map((account) => ({
        id: account,
        secret: secrets.providerSecret,
        pixKey: pixKeyOf(account),
        callbackUrl: `${urlOf(network, 'gateway')}/callbacks/pix/${secrets.callbackSecret}`,
        payoutCallbackUrl: `${urlOf(network, 'gateway')}/callbacks/payouts/${secrets.callbackSecret}`,
        cards: {
          publicKey: `pk_${account}_local`,
          secretKey: `${account}_${secrets.providerSecret}`,
          callbackUrl: `${urlOf(network, 'gateway')}/callbacks/acquirer/${secrets.callbackSecret}`,
        },
      })),
    ),
  }),
};

function providerSettings(
  prefix: string,
  account: 'sandbox' | 'production',
  { secrets, ...network }: Network & Pick<Surroundings, 'secrets'>,
): Record<string, string> {
  return {
    [`${prefix}_URL`]: urlOf(network, 'sandbox-psp'),
    [`${prefix}_CLIENT_ID`]: account,
    [`${prefix}_CLIENT_SECRET`]: secrets.providerSecret,
    [`${prefix}_KEY`]: pixKeyOf(account),
  };
}

function cardSettings(
  prefix: string,
  account: 'sandbox' | 'production',
  { secrets, browserUrl, ...network }: Network & Pick<Surroundings, 'secrets' | 'browserUrl'>,
): Record<string, string> {
  const url = urlOf(network, 'sandbox-psp');
  return {
    [`${prefix}_URL`]: `${url}/core/v5`,
    [`${prefix}_SECRET_KEY`]: `${account}_${secrets.providerSecret}`,
    [`${prefix}_PUBLIC_KEY`]: `pk_${account}_local`,
    [`${prefix}_TOKENIZE_URL`]: `${browserUrl ?? url}/core/v5/tokens`,
  };
}

/** Returns the Pix key of the platform's account at the sandbox provider. */
export function pixKeyOf(account: string): string {
  return `${account}@plataforma.test`;
}

export function rowKeysOf({ rowKeys }: Secrets, name: keyof Secrets['rowKeys']): string {
  return `local:${rowKeys[name]}`;
}

function publicKeys({ keys }: Secrets, ...names: (keyof Secrets['keys'])[]): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, keys[name].publicKey])));
}

/**
 * Requires signatures on events. No queue can contain unsigned events, because every release that used these
 * queues signed its events.
 */
function signedEvents(secrets: Secrets, ...producers: (keyof Secrets['keys'])[]): Record<string, string> {
  return { EVENT_KEYS: publicKeys(secrets, ...producers), EVENT_SIGNATURES: 'require' };
}
