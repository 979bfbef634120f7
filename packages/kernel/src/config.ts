import { z } from 'zod';

/** The environment is not what it should be; `message` names every wrong variable, a line each. */
export class ConfigError extends Error {}

/**
 * Reads the environment through `schema`. All that is wrong is reported at once, by name and never by value, so
 * that an operator mends a deployment in one round and no secret reaches a log.
 */
export function readConfig<T extends z.ZodType>(
  schema: T,
  env: Readonly<Record<string, string | undefined>>,
): z.infer<T> {
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
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Where browsers find a page: in the clear on one's own machine only. */
const pagesUrl = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.includes(hostname);
}, 'must be https, or a loopback address');

export const setting = { flag, port, pagesUrl };
