import { readFileSync } from 'node:fs';
import { sealingKeys } from '@plataforma/data';
import { createEventSigner, type EventSigner, type Producer } from '@plataforma/events';
import {
  addressRanges,
  type ConnectionLimit,
  orderModes,
  signingKey,
  tokenSigningKey,
  trustedKeys,
} from '@plataforma/http';
import { readConfig, setting } from '@plataforma/kernel';
import { addressList, connectingNetwork, connectingSite } from '@plataforma/kernel/addresses';
import { type SignatureRules, signatureModes } from '@plataforma/messaging';
import { rowSealModes } from '@plataforma/tables';
import { z } from 'zod';

/** The setting that stays in the environment, because Node and libraries may read it at any time. */
const NODE_ENV = 'NODE_ENV';

/**
 * Reads the settings and removes them from the environment, so that no child process or diagnostic report
 * contains their secrets.
 */
export function takeConfig<Config extends object>(schema: z.ZodType<Config>, env: NodeJS.ProcessEnv): Config {
  const config = readConfig(schema, env);
  if (env === process.env)
    for (const name of Object.keys(config)) if (name !== NODE_ENV) delete process.env[name];
  return config;
}

const hostNames = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .pipe(z.array(z.string().regex(/^[\w.-]+$/)));

export const serviceSettings = {
  HOST: z.string().default('0.0.0.0'),
  PORT: setting.port,
  /**
   * The host names that callers may use, besides addresses and localhost. Without this setting, any name is
   * allowed.
   */
  HOST_NAMES: hostNames.optional(),
  DATABASE_URL: z.url(),
  /**
   * The URL by which migrations log in as the owner of the tables. Needed when the role of DATABASE_URL may
   * not migrate.
   */
  MIGRATION_DATABASE_URL: z.url().optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  /** The number of connections for lists and reports, in addition to DATABASE_POOL_SIZE. */
  DATABASE_READS_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(4),
  /**
   * The days for which the outbox and the inbox keep an event after the end of its month. All services must
   * have the same value.
   */
  MESSAGES_RETENTION_DAYS: z.coerce.number().int().min(7).max(3_650).default(30),
  MIGRATE_ON_START: setting.flag,
  /** The maximum time that a start waits for a database that does not answer. */
  START_DEADLINE_MS: z.coerce.number().int().min(0).max(600_000).default(60_000),
  /**
   * The time for which a stopping process still accepts requests, but reports that it is not ready. It must
   * exceed a load balancer's detection time, and the time for which callers keep idle connections.
   */
  DRAIN_MS: z.coerce.number().int().min(0).max(7_000).default(0),
  /**
   * The time for which an idle connection of a caller stays open. A balancer in front must keep its
   * connections for a shorter time.
   */
  KEEP_ALIVE_MS: z.coerce.number().int().min(1_000).max(3_600_000).default(75_000),
  /** The port that serves only GET /metrics. Without this setting, metrics are off. */
  METRICS_PORT: setting.port.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
};

/** The settings of a service with a public listener. */
export const strangerSettings = {
  /**
   * The maximum number of open connections per client address on each replica. The limit does not apply to
   * TRUSTED_PROXIES, because many callers share a proxy.
   */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(1_000),
  /** The addresses of the installation's own proxies in front of the service. */
  TRUSTED_PROXIES: addressRanges,
};

export function connectionLimitOf({
  CONNECTIONS_PER_ADDRESS: perCaller,
  TRUSTED_PROXIES,
}: z.infer<z.ZodObject<typeof strangerSettings>>): ConnectionLimit {
  const isOurProxy = addressList(TRUSTED_PROXIES);
  return {
    perCaller,
    callerOf: (address) => connectingNetwork(address, isOurProxy),
    siteOf: (address) => connectingSite(address, isOurProxy),
  };
}

/** The settings of a service that publishes or subscribes to events. */
export const brokerSettings = {
  AMQP_URL: z.url(),
  /**
   * The file with the certificate authority of a broker at an `amqps` address. The default is Node's own
   * authorities.
   */
  AMQP_CA_FILE: z.string().min(1).optional(),
};

/** Returns the URL of the broker and the text of its CA file. Throws when the file cannot be read. */
export function brokerOf({ AMQP_URL, AMQP_CA_FILE }: z.infer<z.ZodObject<typeof brokerSettings>>): {
  brokerUrl: string;
  brokerAuthority: string | undefined;
} {
  const brokerAuthority = AMQP_CA_FILE === undefined ? undefined : readFileSync(AMQP_CA_FILE, 'utf8');
  return { brokerUrl: AMQP_URL, brokerAuthority };
}

/** The settings of a service that receives events and keeps rows that order money. */
export const eventSettings = {
  ...brokerSettings,
  /**
   * The public keys of the services whose events this service accepts. The keys of its callers are in
   * TRUSTED_KEYS.
   */
  EVENT_KEYS: trustedKeys.optional(),
  EVENT_SIGNATURES: z.enum(signatureModes).default('require'),
  /**
   * The interval at which the service compares what it has published with what its subscribers have received.
   * 0 turns the comparison off.
   */
  EVENT_COMPARISON_SECONDS: z.coerce.number().int().min(0).max(900).default(120),
  /**
   * The public keys of the callers. Gateway replicas verify each other's tokens. While the gateway's
   * SERVICE_KEY changes, its TRUSTED_KEYS must therefore contain the old and the new key.
   */
  TRUSTED_KEYS: trustedKeys,
  /** The keys with which the service seals rows. The first one seals, and all verify. */
  ROW_KEYS: sealingKeys,
  ROW_SEALS: z.enum(rowSealModes).default('require'),
};

/** The settings of a service that works on orders of money, which the gateway signs. */
export const orderSettings = { ORDER_SIGNATURES: z.enum(orderModes).default('require') };

const brokerConfig = z.object({ ...eventSettings, SERVICE_KEY: signingKey.optional() });
export type BrokerConfig = z.infer<typeof brokerConfig>;

export function hasBroker(config: object): config is BrokerConfig {
  return 'AMQP_URL' in config;
}

/** Returns the rules by which a service checks the signatures of events. */
export function signatureRules({
  EVENT_KEYS: keys,
  EVENT_SIGNATURES: mode,
}: z.infer<z.ZodObject<Pick<typeof eventSettings, 'EVENT_KEYS' | 'EVENT_SIGNATURES'>>>): SignatureRules {
  return { mode, keys };
}

/**
 * Creates the signer of a service's events from its SERVICE_KEY. A service without this key publishes no
 * events.
 */
export function eventSigner(producer: Producer, serviceKey: string): EventSigner;
export function eventSigner(producer: Producer, serviceKey: string | undefined): EventSigner | undefined;
export function eventSigner(producer: Producer, serviceKey: string | undefined): EventSigner | undefined {
  return serviceKey === undefined ? undefined : createEventSigner(producer, tokenSigningKey(serviceKey));
}

/** A provider with a group of its settings, such as `['PIX', 'URL', 'KEY']`. */
type SettingGroup = readonly [provider: string, ...settings: string[]];

/**
 * Adds an issue for each missing setting of a group, if the environment (sandbox or production) has another
 * setting of the same group.
 */
export function requireWholeGroups(groups: readonly SettingGroup[]) {
  return (config: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const environment of ['SANDBOX', 'PRODUCTION']) {
      for (const [provider, ...settings] of groups) {
        const names = settings.map((setting) => `${provider}_${environment}_${setting}`);
        const missing = names.filter((name) => config[name] === undefined);
        if (missing.length === names.length) continue;
        for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
      }
    }
  };
}
