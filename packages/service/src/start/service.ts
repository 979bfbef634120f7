import type { Database, Migration, Reads } from '@plataforma/data';
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

/** The base of every service, ready before its `build`. */
export interface Core<Config> {
  config: Config;
  log: Log;
  database: Database;
  /** Connections for lists and reports, so that even many reads leave writers their connections. */
  reads: Reads;
  /** The time of the database. */
  clock: Clock;
  /** Accepts the callers of TRUSTED_KEYS, and no caller where a service has no such setting. */
  verifier: Verifier;
  /** Repeats a step of the start that needs the database. The step must be repeatable. */
  retry: StartRetry;
  /** Registers the stop of a component that `build` has opened: with the entry points, or after them. */
  onStop(level: Extract<Level, 'entryPoints' | 'dependencies'>, stop: StopFunction): void;
}

/** A server of the service, at HOST and PORT by default. */
export interface Server
  extends Omit<HttpServerOptions, 'log' | 'host' | 'port' | 'needs' | 'uses' | 'drainMs' | 'mount'> {
  host?: string;
  port?: number;
  /** `url` returns the URL of this server once it listens. */
  mount(app: Express, url: () => string): void;
}

/** The servers of a service by name, in the order in which they open. */
export type Servers = { readonly [name: string]: Server | undefined };

/** Starts one background job. Each has its own stop, which also runs if the next job does not start. */
export type BackgroundJob<Built> = (built: Built) => { stop(): Promise<unknown> };

/** A service, in the order of its start. Broker, signer, audit log and dead letters follow from its name. */
export interface Service<Config extends ServiceConfig, Tuning extends object, Dependencies extends object> {
  name: string;
  config: z.ZodType<Config>;
  migrations: readonly Migration[];
  /** Times and sizes in production; a test passes others to the start. */
  tuning: Tuning;
  build(core: Core<Config>, tuning: Tuning): Promise<Dependencies> | Dependencies;
  /** Chains whose heads are announced; the audit log's by default. */
  chains?: readonly Chain[];
  apply?(built: Core<Config> & Dependencies): Apply;
  jobs?: readonly BackgroundJob<Core<Config> & Dependencies>[];
  /** Routes of the main server that other services call; the operators' routes come before them. */
  routes?(app: Express, built: Core<Config> & Dependencies): void;
  /** Servers beside or in place of the one that `routes` opens. */
  servers?(built: Core<Config> & Dependencies): Servers;
  /** Gauges besides those of the database, the relay and the listener. */
  gauges?(built: Core<Config> & Dependencies): readonly ReadGauges[];
}

/** Starts a service; fails with the reason of `stopping` once that is aborted. */
export type Start<Tuning> = (
  env: NodeJS.ProcessEnv,
  tuning?: Partial<Tuning>,
  stopping?: AbortSignal,
) => Promise<RunningService>;

export interface RunningService extends Running {
  /** The URL of the main server. */
  url: string;
  /**
   * Returns the URL of another server, or of the main server, which does its work while that one is not open.
   */
  urlOf(name: string): string;
}
