import { z } from 'zod';

/** Thrown when environment variables are invalid. `message` has a line for each wrong variable. */
export class ConfigError extends Error {}

/**
 * Reads the environment through `schema`. Throws ConfigError with the names of all wrong variables, so that
 * an operator can correct all of them in one step. The error has no values, so that no secret reaches a log.
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
/** The address of a page for browsers. Only a loopback address may be http. */
const pagesUrl = z.url({ protocol: /^https?$/ }).refine((url) => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.includes(hostname);
}, 'must be https, or a loopback address');

export const setting = { flag, port, pagesUrl };
