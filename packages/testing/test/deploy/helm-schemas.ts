import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { z } from 'zod';

/**
 * Throws an error that lists the faults of a manifest. Most checks ignore unknown fields, so `problemsOf`
 * finds these fields itself.
 */
type Check = (manifest: object) => void;

const by =
  (model: { prototype: { validate(): void } }): Check =>
  (manifest) =>
    model.prototype.validate.call(manifest);

const texts = z.record(z.string(), z.string());
const metadata = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  labels: texts,
  annotations: texts.optional(),
});
const resources = z.strictObject({ requests: texts, limits: texts });

/** The part of the manifest that the RabbitMQ operator merges into the pods that it creates. */
const mounts = z.strictObject({
  spec: z.strictObject({
    containers: z.array(
      z.strictObject({
        name: z.literal('rabbitmq'),
        volumeMounts: z.array(
          z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true) }),
        ),
      }),
    ),
    volumes: z.array(
      z.strictObject({ name: z.string(), secret: z.strictObject({ secretName: z.string() }) }),
    ),
  }),
});

/**
 * The fields of rabbitmq.com/v1beta1 and monitoring.coreos.com/v1 that the chart uses. No package publishes
 * schemas of these kinds.
 */
const rabbitmqCluster = z.strictObject({
  apiVersion: z.literal('rabbitmq.com/v1beta1'),
  kind: z.literal('RabbitmqCluster'),
  metadata,
  spec: z.strictObject({
    replicas: z.int(),
    image: z.string().optional(),
    persistence: z.strictObject({ storage: z.string(), storageClassName: z.string().optional() }),
    resources,
    affinity: z.strictObject({ podAntiAffinity: z.looseObject({}) }),
    tls: z.strictObject({ secretName: z.string(), disableNonTLSListeners: z.literal(true) }),
    override: z.strictObject({ statefulSet: z.strictObject({ spec: z.strictObject({ template: mounts }) }) }),
    rabbitmq: z.strictObject({ additionalConfig: z.string() }),
  }),
});
const podMonitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('PodMonitor'),
  metadata,
  spec: z.strictObject({
    selector: z.strictObject({ matchLabels: texts }),
    podMetricsEndpoints: z.array(
      z.strictObject({
        port: z.string(),
        path: z.string(),
        interval: z.string(),
        honorLabels: z.boolean(),
        relabelings: z.array(
          z.strictObject({
            sourceLabels: z.array(z.string()).optional(),
            targetLabel: z.string(),
            replacement: z.string().optional(),
          }),
        ),
      }),
    ),
  }),
});

const checks: Record<string, Check> = {
  'v1/ConfigMap': by(ConfigMap),
  'v1/Service': by(Service),
  'v1/ServiceAccount': by(ServiceAccount),
  'apps/v1/Deployment': by(Deployment),
  'batch/v1/Job': by(Job),
  'autoscaling/v2/HorizontalPodAutoscaler': by(HorizontalPodAutoscaler),
  'networking.k8s.io/v1/Ingress': by(Ingress),
  'networking.k8s.io/v1/NetworkPolicy': by(NetworkPolicy),
  'policy/v1/PodDisruptionBudget': by(PodDisruptionBudget),
  'keda.sh/v1alpha1/ScaledObject': by(ScaledObject),
  'keda.sh/v1alpha1/TriggerAuthentication': by(TriggerAuthentication),
  'postgresql.cnpg.io/v1/Cluster': by(Cluster),
  'rabbitmq.com/v1beta1/RabbitmqCluster': (manifest) => void rabbitmqCluster.parse(manifest),
  'monitoring.coreos.com/v1/PodMonitor': (manifest) => void podMonitor.parse(manifest),
};

/** Returns the faults of a manifest, and its fields that the schema does not contain. */
export function problemsOf(manifest: unknown): string[] {
  const { apiVersion, kind } = z.object({ apiVersion: z.string(), kind: z.string() }).parse(manifest);
  const check = checks[`${apiVersion}/${kind}`];
  if (!check || typeof manifest !== 'object' || manifest === null)
    return [`${apiVersion}/${kind}: no schema`];
  const watched: Watched[] = [];
  try {
    check(watch(manifest, kind, watched));
  } catch (error) {
    return [`${kind}: ${error instanceof Error ? error.message : error}`];
  }
  return watched.flatMap(unread);
}

interface Watched {
  path: string;
  value: object;
  read: Set<PropertyKey>;
  isReadWhole: boolean;
}

/**
 * Records which fields the validator of the schema reads. A field that the validator never reads is unknown.
 * If the validator lists all keys of an object, such as labels, all fields of the object are known.
 */
function watch(value: object, path: string, all: Watched[]): object {
  const watched: Watched = { path, value, read: new Set(), isReadWhole: Array.isArray(value) };
  all.push(watched);
  const children = new Map<PropertyKey, unknown>();
  return new Proxy(value, {
    get(target, key) {
      watched.read.add(key);
      if (!children.has(key)) {
        const child: unknown = Reflect.get(target, key);
        const isPart = Object.hasOwn(target, key) && typeof child === 'object' && child !== null;
        children.set(key, isPart ? watch(child, `${path}.${String(key)}`, all) : child);
      }
      return children.get(key);
    },
    ownKeys(target) {
      watched.isReadWhole = true;
      return Reflect.ownKeys(target);
    },
  });
}

function unread({ path, value, read, isReadWhole }: Watched): string[] {
  if (isReadWhole) return [];
  return Object.keys(value)
    .filter((key) => !read.has(key))
    .map((key) => `${path}.${key}: no such field`);
}
