import type { Database, Migration, Reads } from '@plataforma/data';
import type { Subscriber } from '@plataforma/events';
import type { HttpServerOptions, Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { Log, ReadGauges } from '@plataforma/observe';
import type { Apply, Chain } from '@plataforma/tables';
import type { Express } from 'express';
import type { z } from 'zod';
import type { Running } from '../run.ts';
import type { serviceSettings } from '../settings.ts';
import type { Level, StopFunction } from './begun.ts';
import type { StartRetry } from './start-retry.ts';

export type ServiceConfig = z.infer<z.ZodObject<typeof serviceSettings>>;

export type SubscriberUrls = Partial<Record<Subscriber, string | undefined>>;

/** The components that every service has. They are ready before `build` of the service runs. */
export interface Core<Config> {
  config: Config;
  log: Log;
  database: Database;
  /**
   * The connections for lists and reports. They are separate, so that many reads do not take connections from
   * writers.
   */
  reads: Reads;
  /** The clock that follows the time of the database. */
  clock: Clock;
  /** Checks identity tokens against TRUSTED_KEYS. Without this setting, it accepts no caller. */
  verifier: Verifier;
  /**
   * Runs a step of the start that needs the database, and repeats it while the database does not answer. The
   * step must be repeatable.
   */
  retry: StartRetry;
  /**
   * Registers the stop function of a component that `build` has opened. The level decides whether the
   * component stops together with the entry points or after them.
   */
  onStop(level: Extract<Level, 'entryPoints' | 'dependencies'>, stop: StopFunction): void;
}

/** A server of the service. Its default address is HOST and PORT. */
export interface Server
  extends Omit<HttpServerOptions, 'log' | 'host' | 'port' | 'needs' | 'uses' | 'drainMs' | 'mount'> {
  host?: string;
  port?: number;
  /** Adds the routes. `url` returns the URL of this server when the server listens. */
  mount(app: Express, url: () => string): void;
}

/** The servers of a service by name. They start in this order. */
export type Servers = { readonly [name: string]: Server | undefined };

/**
 * Starts one background job. Each job has its own stop function, which also runs if a later job fails to
 * start.
 */
export type BackgroundJob<Built> = (built: Built) => { stop(): Promise<unknown> };

/**
 * The definition of a service. The fields are in the order of its start. If `name` is a producer of events,
 * the start also connects the configured broker and serves the audit log and the dead letters.
 */
export interface Service<Config extends ServiceConfig, Tuning extends object, Dependencies extends object> {
  name: string;
  config: z.ZodType<Config>;
  migrations: readonly Migration[];
  /** The times and sizes that production uses. A test can call the start function with other values. */
  tuning: Tuning;
  build(core: Core<Config>, tuning: Tuning): Promise<Dependencies> | Dependencies;
  /** The hash chains whose newest hashes the service announces. The default is the chain of the audit log. */
  chains?: readonly Chain[];
  /** Returns the URLs of the subscribing services, for the comparison of published with received events. */
  subscriberUrls?(config: Config): SubscriberUrls;
  apply?(built: Core<Config> & Dependencies): Apply;
  jobs?: readonly BackgroundJob<Core<Config> & Dependencies>[];
  /** Adds the routes of the main server, which other services call. The operators' routes precede them. */
  routes?(app: Express, built: Core<Config> & Dependencies): void;
  /** Returns the servers other than the main server. The main server exists only if `routes` is given. */
  servers?(built: Core<Config> & Dependencies): Servers;
  /**
   * Returns further gauges of the service. The gauges of the database, the relay and the listener are always
   * present.
   */
  gauges?(built: Core<Config> & Dependencies): readonly ReadGauges[];
}

/** Starts a service. If `stopping` is aborted during the start, the start fails with the signal's reason. */
export type Start<Tuning> = (
  env: NodeJS.ProcessEnv,
  tuning?: Partial<Tuning>,
  stopping?: AbortSignal,
) => Promise<RunningService>;

export interface RunningService extends Running {
  /** The URL of the main server. */
  url: string;
  /**
   * Returns the URL of a server. If that server is not open, returns the URL of the main server, which then
   * does that server's work.
   */
  urlOf(name: string): string;
}
