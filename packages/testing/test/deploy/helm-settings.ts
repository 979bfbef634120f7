import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type Container, chart, type Manifest, ofKind } from './helm-chart.ts';

const run = promisify(execFile);

/**
 * The texts in Kubernetes secrets: the outer key is the name of a secret, the inner key is the key in that
 * secret.
 */
export type Secrets = Record<string, Record<string, string>>;

const secretList = z.object({
  items: z.array(
    z.object({ metadata: z.object({ name: z.string() }), stringData: z.record(z.string(), z.string()) }),
  ),
});

export async function newSecrets(folder: string, ...options: string[]): Promise<Secrets> {
  const script = join(chart, 'new-secrets.mjs');
  const always = ['--out', folder, '--operator-email', 'operator@plataforma.example'];
  await run(process.execPath, [script, ...always, ...options]);
  const { items } = secretList.parse(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')));
  return Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, stringData]));
}

/**
 * Returns the environment that Kubernetes gives a container. Throws if the ConfigMap, the secret or the key
 * to which a variable refers is missing.
 */
export function environmentOf(
  container: Container,
  manifests: readonly Manifest[],
  secrets: Secrets,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom) {
    const map = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name);
    if (!map) throw new Error(`no ConfigMap ${configMapRef.name}`);
    Object.assign(environment, map.data);
  }
  for (const { name, value, valueFrom } of container.env) {
    if (valueFrom) {
      const { name: secret, key } = valueFrom.secretKeyRef;
      const found = secrets[secret]?.[key];
      if (found === undefined) throw new Error(`${name}: no ${key} in the Secret ${secret}`);
      environment[name] = found;
    } else {
      // As in Kubernetes, a value may refer only to variables that are earlier in the list.
      environment[name] = (value ?? '').replace(
        /\$\((\w+)\)/g,
        (text, of: string) => environment[of] ?? text,
      );
    }
  }
  return environment;
}

/**
 * Returns the schema of a service's settings, which the service's config.ts exports. Throws if the file
 * exports no schema.
 */
export async function configOf(service: string): Promise<z.ZodObject> {
  const file = new URL(`../../../../services/${service}/src/config.ts`, import.meta.url);
  const found: Record<string, unknown> = await import(fileURLToPath(file));
  for (const exported of Object.values(found)) {
    if (exported instanceof z.ZodObject) return exported;
  }
  throw new Error(`${service} exports no settings`);
}
