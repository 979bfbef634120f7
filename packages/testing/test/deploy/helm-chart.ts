import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { findHelm } from '../../src/helm.ts';

export const chart = fileURLToPath(new URL('../../../../deploy/helm/plataforma', import.meta.url));

const labels = z.record(z.string(), z.string()).default({});

const manifest = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels, annotations: labels }),
  spec: z.unknown().optional(),
  data: labels,
  automountServiceAccountToken: z.boolean().optional(),
});

const secretKey = z.object({ name: z.string(), key: z.string() });
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z.object({ secretKeyRef: secretKey }).optional(),
      }),
    )
    .default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() }).loose()).default([]),
});

const selector = z.object({ matchLabels: labels });

const podTemplate = z.object({
  metadata: z.object({ labels, annotations: labels }),
  spec: z.looseObject({
    containers: z.array(container),
    serviceAccountName: z.string(),
    automountServiceAccountToken: z.boolean(),
    terminationGracePeriodSeconds: z.number().optional(),
    topologySpreadConstraints: z.array(z.looseObject({ labelSelector: selector })).default([]),
    volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  }),
});

const workload = z.looseObject({
  replicas: z.number().optional(),
  selector: selector.optional(),
  template: podTemplate,
});

export type Manifest = z.infer<typeof manifest>;
export type Workload = z.infer<typeof workload> & { name: string; kind: string };
export type Container = z.infer<typeof container>;
export type Values = Record<string, unknown>;

const at = (cidr: string) => ({ external: { peers: [{ ipBlock: { cidr } }] } });

/** The network addresses of external servers, which the chart requires. Most tests use these addresses. */
const servers = { postgresql: at('10.200.0.5/32'), rabbitmq: at('10.200.0.6/32') };

/**
 * Runs helm with these values and with the network addresses of external servers. Rejects with the output of
 * helm if it fails.
 */
export async function helm(args: readonly string[], values: Values = {}): Promise<string> {
  const file = await findHelm();
  return new Promise((resolve, reject) => {
    const child = execFile(file, [...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`));
      else resolve(stdout);
    });
    child.stdin?.end(JSON.stringify({ ...servers, ...values }));
  });
}

interface RenderOptions {
  release?: string;
  isUpgrade?: boolean;
}

const rendered = new Map<string, Promise<Manifest[]>>();

/**
 * Renders the Kubernetes manifests of an installation or an upgrade, including hooks. Calls with equal
 * arguments run helm only once.
 */
export function render(
  values: Values = {},
  { release = 'plataforma', isUpgrade = false }: RenderOptions = {},
): Promise<Manifest[]> {
  const key = JSON.stringify([values, release, isUpgrade]);
  const existing = rendered.get(key);
  if (existing) return existing;
  const args = ['template', release, chart, '--namespace', 'pay', '--values', '-'];
  const text = helm(isUpgrade ? [...args, '--is-upgrade'] : args, values);
  const manifests = text.then((yaml) => documentsOf(yaml).map((document) => manifest.parse(document)));
  rendered.set(key, manifests);
  return manifests;
}

/** Parses a text with several YAML documents. Throws the first syntax error. */
export function documentsOf(text: string): unknown[] {
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    })
    .filter((document: unknown) => document !== null);
}

export function ofKind(manifests: readonly Manifest[], ...kinds: string[]): Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}

/** Returns the Deployments and Jobs, because only they create pods. */
export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return ofKind(manifests, 'Deployment', 'Job').map(({ kind, metadata, spec }) => ({
    ...workload.parse(spec),
    kind,
    name: metadata.name,
  }));
}

export function containersOf(manifests: readonly Manifest[]): Container[] {
  return workloadsOf(manifests).flatMap(({ template }) => template.spec.containers);
}

export function matches(selected: Record<string, string>, labelsOfPod: Record<string, string>): boolean {
  return Object.entries(selected).every(([name, value]) => labelsOfPod[name] === value);
}
