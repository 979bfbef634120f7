import type { AuditLogEndpoints, DeadLetterEndpoints } from '@plataforma/contracts';
import type { Database, Migration, Reads } from '@plataforma/data';
import type { EventSigner, Subscriber } from '@plataforma/events';
import type { HttpServerOptions, Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { Apply, SignatureRules } from '@plataforma/messaging';
import type { Log, ReadGauges } from '@plataforma/observe';
import type { Express } from 'express';
import type { z } from 'zod';
import type { Chain } from '../anchors/chain.ts';
import type { Running } from '../run.ts';
import type { serviceSettings } from '../settings.ts';
import type { Level, Stop } from './begun.ts';
import type { StartRetry } from './start-retry.ts';

export type ServiceConfig = z.infer<z.ZodObject<typeof serviceSettings>>;

/** What every service has before it builds anything of its own. */
export interface Core<Config> {
  config: Config;
  log: Log;
  database: Database;
  /** For lists and reports, so that however many are read writers have their connections. */
  reads: Reads;
  /** The time of the database. */
  clock: Clock;
  /** For a step of the start that needs the database; such a step must bear to be repeated. */
  retry: StartRetry;
  /** Has something stopped that `build` has opened: beside the entrances, or once they have ended their work. */
  onStop(level: Extract<Level, 'entrances' | 'parts'>, stop: Stop): void;
}

export interface Messages {
  brokerUrl: string;
  brokerAuthority?: string | undefined;
  /** Of what it announces, which a relay publishes; left out by what announces nothing. */
  signer?: EventSigner | undefined;
  subscription?: { subscriber: Subscriber; apply: Apply; signatures: SignatureRules };
}

/** What operators may read and mend of any service, ahead of its own routes. */
export interface OperatorAccess {
  verifier: Verifier;
  auditLog: AuditLogEndpoints;
  /** Of a service with a subscription. */
  deadLetters: DeadLetterEndpoints;
}

/** A server with what only this one of the service's servers does; at HOST and PORT unless it says otherwise. */
export interface Server
  extends Omit<HttpServerOptions, 'log' | 'host' | 'port' | 'needs' | 'uses' | 'drainMs' | 'mount'> {
  host?: string;
  port?: number;
  /** `url`: this server's, once it listens. */
  mount(app: Express, url: () => string): void;
}

/** Its servers by name, in the order in which they open. */
export type Servers = { readonly main: Server } & { readonly [name: string]: Server | undefined };

/** Starts what works by itself from now on: one job each, so that it is stopped when the next one does not start. */
export type Job<Built> = (built: Built) => { stop(): Promise<unknown> };

/** What starts a service, in the order in which it is asked for. `Parts` is what the service itself has built. */
export interface Service<Config extends ServiceConfig, Parts extends object, Open extends Servers> {
  name: string;
  config: z.ZodType<Config>;
  migrations: readonly Migration[];
  build(core: Core<Config>): Promise<Parts> | Parts;
  /** Whose heads are announced, by what has a signer and the table for them; the audit log's when left out. */
  chains?: readonly Chain[];
  /** Left out by what has no broker. */
  messages?(built: Core<Config> & Parts): Messages;
  jobs?: readonly Job<Core<Config> & Parts>[];
  operators?(built: Core<Config> & Parts): OperatorAccess;
  servers(built: Core<Config> & Parts): Open;
  /** Beside those of the database, the relay and the listener. */
  gauges?(built: Core<Config> & Parts): readonly ReadGauges[];
}

/** A service that runs. */
export interface RunningService<Open extends Servers> extends Running {
  /** Of its main server. */
  url: string;
  /** Of another one; the main server's, which then does its work, where that one is not open. */
  urlOf(name: keyof Open): string;
}
