import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

export const repository = fileURLToPath(new URL('../../../..', import.meta.url));
export const text = (path: string) => readFile(join(repository, path), 'utf8');

/** Returns true if the service has a database. A service with a database has a program that migrates it. */
export const hasDatabase = (service: string) =>
  existsSync(join(repository, 'services', service, 'src/migrate.ts'));

const mount = z.union([
  z.string().transform((text) => {
    const [source = '', target = '', mode] = text.split(':');
    return { source, target, read_only: mode === 'ro' };
  }),
  z.object({ source: z.string(), target: z.string(), read_only: z.boolean().default(false) }),
]);

/** The schema of a container in `docker-compose.yml`. It is strict, so that an unknown key fails the test. */
const container = z.strictObject({
  image: z.string(),
  build: z
    .object({
      context: z.literal('.'),
      dockerfile: z.literal('deploy/Dockerfile'),
      args: z.record(z.string(), z.string()).default({}),
      target: z.string().optional(),
    })
    .optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  restart: z.enum(['no', 'unless-stopped']),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()),
  user: z.string().optional(),
  hostname: z.string().optional(),
  tmpfs: z.array(z.string()).optional(),
  shm_size: z.string().optional(),
  extra_hosts: z.array(z.string()).optional(),
  stop_grace_period: z.string().optional(),
  security_opt: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(mount).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
      start_period: z.string(),
      start_interval: z.string(),
    })
    .optional(),
  deploy: z.object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) }).optional(),
});

const composition = z.object({
  services: z.record(z.string(), container),
  volumes: z.record(z.string(), z.null()),
});

type Container = z.infer<typeof container>;

export interface Composition {
  services: Record<string, Container>;
  volumes: string[];
  /** Returns the container with this name. Throws if `docker-compose.yml` has no such container. */
  find(name: string): Container;
}

/** Reads `docker-compose.yml`, and replaces YAML aliases with the parts that they refer to. */
export async function readComposition(): Promise<Composition> {
  // The parser's limit of aliases is raised, because each container refers to the common parts and the file
  // is trusted.
  const options = { merge: true, maxAliasCount: 1_000 };
  const parsed = composition.parse(parse(await text('docker-compose.yml'), options));
  return {
    services: parsed.services,
    volumes: Object.keys(parsed.volumes),
    find(name) {
      const found = parsed.services[name];
      if (!found) throw new Error(`${name} is not in docker-compose.yml`);
      return found;
    },
  };
}
