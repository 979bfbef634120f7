import { z } from 'zod';

/** The environment is not what it should be; `message` names every wrong variable, a line each. */
export class ConfigError extends Error {}

/**
 * Reads the environment through `schema`. All that is wrong is reported at once, by name and never by value, so
 * that an operator mends a deployment in one round and no secret reaches a log.
 */
export function readConfig<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.infer<T> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;

  const problems = result.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? '(all)');
    return `  ${name}: ${present[name] === undefined ? 'is missing' : issue.message}`;
  });
  throw new ConfigError(`The configuration is wrong:\n${[...new Set(problems)].join('\n')}`);
}

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
const port = z.coerce.number().int().min(0).max(65535);

/** What every service reads. */
export const serviceSettings = {
  HOST: z.string().default('0.0.0.0'),
  PORT: port,
  DATABASE_URL: z.url(),
  /** Of the role that owns the tables, where DATABASE_URL is another's that may only work with them. */
  MIGRATION_DATABASE_URL: z.url().optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(10),
  MIGRATE_ON_START: flag,
  /** For how long a start waits for a database that does not answer. */
  START_DEADLINE_MS: z.coerce.number().int().min(0).max(600_000).default(60_000),
  /**
   * For how long a process that was told to stop still takes requests, while it says that it is not ready: longer than
   * a balancer takes to notice, and than callers keep an idle connection. The rest of ten seconds is for what runs.
   */
  DRAIN_MS: z.coerce.number().int().min(0).max(7_000).default(0),
  /** Where it is set, GET /metrics is answered there, and nothing else is. */
  METRICS_PORT: port.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
};

export const setting = { flag, port };
