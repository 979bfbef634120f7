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

/** Everything that is called: an address each. */
export const listeners = [...serviceNames, 'gateway-internal', 'sandbox-control', 'web'] as const;
export type ListenerName = (typeof listeners)[number];
export type Ports = Record<ListenerName, number>;

export interface Surroundings {
  secrets: Secrets;
  /** Where each is called. */
  ports: Ports;
  /** Under which name each is called; everything on this machine when left out. */
  hostOf?: (name: ListenerName) => string;
  /** Where a buyer's browser calls the sandbox provider, if that is elsewhere than where the services do. */
  browserUrl?: string | undefined;
  /** No service gets the address of the role that migrates its tables. */
  databaseUrls: Pick<DatabaseUrls<ServiceName>, 'application'>;
  /** The administrator's address; without users of their own, all services log in with it. */
  broker: { url: string; hasUsers: boolean };
  logLevel: string;
  drainMs: number;
  /** Whether `web` stands in front of the gateway. */
  hasWeb?: boolean | undefined;
  /** Where a browser finds `web`, if that is not at its port of this machine. */
  webUrl?: string | undefined;
  /** Where programs of this machine find the gateway, if that is not where the services do. */
  apiUrl?: string | undefined;
  /** The limits of requests, connections and log-ins; production's when absent. */
  limits?: 'lifted' | undefined;
}

type Network = Pick<Surroundings, 'ports' | 'hostOf'>;

const LOOPBACK = '127.0.0.1';
/** The host of a container, which has a network to itself. */
const EVERYWHERE = '0.0.0.0';
/** The networks of containers, whose ports are open to their own machine alone. */
const OF_CONTAINERS = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16';

const addressOf = ({ ports, hostOf }: Network, name: ListenerName) =>
  `${hostOf?.(name) ?? LOOPBACK}:${ports[name]}`;
const webUrlOf = ({ ports, webUrl }: Pick<Surroundings, 'ports' | 'webUrl'>) =>
  webUrl ?? `http://${LOOPBACK}:${ports.web}`;
const urlOf = (network: Network, name: ListenerName) => `http://${addressOf(network, name)}`;

/** The environment of a replica of a service on this machine, which listens at `own`. */
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
    ...settings[name](surroundings, own),
  };
}

/** The environment of the service that browsers talk to; it has no database, and there is one of it. */
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
  };
}

/** Returns none for a service that neither publishes nor subscribes. */
function brokerSettings(name: ServiceName, { broker }: Surroundings): Record<string, string> {
  if (!isBrokerUser(name)) return {};
  return { AMQP_URL: addressFor(name, broker) };
}

function addressFor(user: BrokerUser, { url, hasUsers }: Surroundings['broker']): string {
  return hasUsers ? urlOfBrokerUser(user, url) : url;
}

/** For tests and benchmarks, whose callers all have one address. */
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
    TRUSTED_KEYS: publicKeys(secrets, 'charges', 'withdrawals'),
    ...signedEvents(secrets, 'charges', 'withdrawals', 'ledger', 'webhooks'),
    CHARGES_URL: urlOf(network, 'charges'),
    WITHDRAWALS_URL: urlOf(network, 'withdrawals'),
    LEDGER_URL: urlOf(network, 'ledger'),
    WEBHOOKS_URL: urlOf(network, 'webhooks'),
    OPERATOR_EMAIL: secrets.operator.email,
    OPERATOR_PASSWORD: secrets.operator.password,
    // `web` names the callers of its requests.
    ...(hasWeb && { TRUSTED_PROXIES: network.hostOf ? OF_CONTAINERS : LOOPBACK, WEB_URL: webUrlOf(network) }),
    ...(limits === 'lifted' ? liftedLimits : {}),
  }),
  charges: ({ secrets, browserUrl, hasWeb, ...network }) => ({
    SERVICE_KEY: secrets.keys.charges.privateKey,
    SEALING_KEYS: `local:${secrets.fileKey}`,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway', 'withdrawals'),
    ...signedEvents(secrets, 'gateway', 'withdrawals', 'ledger', 'webhooks'),
    GATEWAY_INTERNAL_URL: urlOf(network, 'gateway-internal'),
    LEDGER_URL: urlOf(network, 'ledger'),
    PIX_CALLBACK_SECRET: secrets.callbackSecret,
    ...(hasWeb && { PUBLIC_CHECKOUT_URL: webUrlOf(network) }),
    ...providerSettings('PIX_SANDBOX', 'sandbox', { secrets, ...network }),
    // On one's own machine nothing is real: the live environment's provider is the sandbox provider as well.
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
    PAYOUT_CALLBACK_SECRET: secrets.callbackSecret,
    ...providerSettings('PAYOUT_SANDBOX', 'sandbox', { secrets, ...network }),
    ...providerSettings('PAYOUT_PRODUCTION', 'production', { secrets, ...network }),
    QR_TRUSTED_HOSTS: addressOf(network, 'sandbox-psp'),
    SANDBOX_CONTROL_URL: urlOf(network, 'sandbox-control'),
  }),
  ledger: ({ secrets }) => ({
    SERVICE_KEY: secrets.keys.ledger.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway', 'charges', 'withdrawals'),
    ...signedEvents(secrets, 'gateway', 'charges', 'withdrawals', 'webhooks'),
  }),
  webhooks: ({ secrets }) => ({
    SERVICE_KEY: secrets.keys.webhooks.privateKey,
    TRUSTED_KEYS: publicKeys(secrets, 'gateway'),
    ...signedEvents(secrets, 'gateway', 'charges', 'withdrawals', 'ledger'),
    WEBHOOK_SECRET_KEYS: `local:${secrets.webhookKey}`,
    WEBHOOK_ALLOW_INSECURE: 'true',
  }),
  'sandbox-psp': ({ secrets, limits, ...network }) => ({
    ...(limits === 'lifted' && liftedConnections),
    CONTROL_HOST: network.hostOf ? EVERYWHERE : LOOPBACK,
    CONTROL_PORT: String(network.ports['sandbox-control']),
    PUBLIC_URL: urlOf(network, 'sandbox-psp'),
    // It knows no real money; where everything is an image, everything is in production.
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

/** Our own key at the provider: where payments of an account go. */
export function pixKeyOf(account: string): string {
  return `${account}@plataforma.test`;
}

function publicKeys({ keys }: Secrets, ...names: (keyof Secrets['keys'])[]): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, keys[name].publicKey])));
}

/** Nothing of a release that signs no events is ever in these queues, so that a signature can be required at once. */
function signedEvents(secrets: Secrets, ...producers: (keyof Secrets['keys'])[]): Record<string, string> {
  return { EVENT_KEYS: publicKeys(secrets, ...producers), EVENT_SIGNATURES: 'require' };
}
