import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { containersOf, type Manifest, matches, ofKind, render, workloadsOf } from './helm-chart.ts';
import { ownServers, sandbox, variants } from './helm-variants.ts';

const services = ['charges', 'gateway', 'ledger', 'webhooks', 'withdrawals'];
const named = (name: string) => `plataforma-${name}`;
const namesOf = (manifests: readonly Manifest[]) => manifests.map(({ metadata }) => metadata.name).sort();

const amounts = z.strictObject({ cpu: z.string(), memory: z.string() });
const guarded = z.looseObject({
  image: z.string().regex(/^[\w./-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/),
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
});
const guardedPod = z.looseObject({
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  securityContext: z.looseObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number().min(1),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
});

describe.each(Object.entries(variants))('%s', (_name, values) => {
  test('every pod runs without privileges and writes only to /tmp', async () => {
    const manifests = await render(values);

    for (const { template } of workloadsOf(manifests)) {
      guardedPod.parse(template.spec);
      const writable = template.spec.volumes.filter((volume) => 'emptyDir' in volume);
      expect(writable).toMatchObject([{ name: 'tmp' }]);
      for (const container of template.spec.containers) {
        guarded.parse(container);
        const mounts = container.volumeMounts.filter(({ readOnly }) => readOnly !== true);
        expect(mounts).toMatchObject([{ name: 'tmp', mountPath: '/tmp' }]);
      }
    }
    for (const account of ofKind(manifests, 'ServiceAccount')) {
      expect(account.automountServiceAccountToken).toBe(false);
    }
  });

  test('every selector matches its own pods and no others', async () => {
    const manifests = await render(values);
    const workloads = workloadsOf(manifests);
    const found = (selected: Record<string, string>) =>
      workloads.filter(({ template }) => matches(selected, template.metadata.labels)).map(({ name }) => name);
    const texts = z.record(z.string(), z.string());

    for (const { metadata, spec } of ofKind(manifests, 'PodDisruptionBudget', 'Deployment')) {
      const { selector } = z.object({ selector: z.object({ matchLabels: texts }) }).parse(spec);
      expect(found(selector.matchLabels)).toEqual([metadata.name]);
    }
    for (const { metadata, spec } of ofKind(manifests, 'Service')) {
      expect(found(z.object({ selector: texts }).parse(spec).selector)).toEqual([metadata.name]);
    }
    for (const { name, template } of workloads) {
      for (const { labelSelector } of template.spec.topologySpreadConstraints) {
        expect(found(labelSelector.matchLabels)).toEqual([name]);
      }
    }
  });

  test('at most one autoscaler sets the replicas of a Deployment', async () => {
    const manifests = await render(values);
    const targetOf = ({ spec }: Manifest) =>
      z.object({ scaleTargetRef: z.object({ name: z.string() }) }).parse(spec).scaleTargetRef.name;
    const scaled = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').map(targetOf);

    expect(new Set(scaled).size).toBe(scaled.length);
    for (const { kind, name, replicas } of workloadsOf(manifests)) {
      if (kind === 'Deployment') expect(replicas === undefined).toBe(scaled.includes(name));
    }
  });

  test('no manifest contains a secret value', async () => {
    const manifests = await render(values);

    expect(ofKind(manifests, 'Secret')).toEqual([]);
    const isSecret = (name: string) =>
      /SECRET|PASSWORD|_KEY$|KEYS$|CLIENT_ID|AMQP_URL|DATABASE_URL|CLIENTS/.test(name);
    for (const { data } of ofKind(manifests, 'ConfigMap'))
      expect(Object.keys(data).filter(isSecret)).toEqual([]);
    for (const { name, value } of containersOf(manifests).flatMap(({ env }) => env)) {
      if (value === undefined || !isSecret(name)) continue;
      expect(value).toMatch(/^postgresql:\/\/\$\([A-Z_]+\):\$\([A-Z_]+\)@/);
    }
  });
});

test('every service has three probes and time to stop', async () => {
  const deployments = workloadsOf(await render(sandbox)).filter(({ kind }) => kind === 'Deployment');

  expect(deployments.map(({ name }) => name).sort()).toEqual([...services, 'sandbox-psp'].map(named).sort());
  for (const { template } of deployments) {
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
    for (const { ports, startupProbe, readinessProbe, livenessProbe } of template.spec.containers) {
      expect(ports).toContainEqual({ name: 'http', containerPort: 8080 });
      expect(startupProbe).toEqual({ httpGet: { path: '/healthz', port: 'http' } });
      expect(readinessProbe).toEqual({ httpGet: { path: '/readyz', port: 'http' } });
      expect(livenessProbe).toEqual({ httpGet: { path: '/healthz', port: 'http' } });
    }
  }
});

test('queues scale ledger and webhooks, CPU scales gateway and charges', async () => {
  const alone = await render();
  const withKeda = await render({
    keda: { enabled: true },
    services: { ledger: { autoscaling: { enabled: true } } },
  });

  expect(namesOf(ofKind(alone, 'HorizontalPodAutoscaler'))).toEqual(['charges', 'gateway'].map(named));
  expect(ofKind(alone, 'ScaledObject')).toEqual([]);
  expect(namesOf(ofKind(withKeda, 'HorizontalPodAutoscaler'))).toEqual(['charges', 'gateway'].map(named));
  expect(namesOf(ofKind(withKeda, 'ScaledObject'))).toEqual(['ledger', 'webhooks'].map(named));
  expect(ofKind(withKeda, 'ScaledObject').map(({ spec }) => spec)).toMatchObject([
    { triggers: [{ metadata: { queueName: 'ledger.events' } }, { type: 'cpu' }] },
    { triggers: [{ metadata: { queueName: 'webhooks.events' } }, { type: 'cpu' }] },
  ]);
});

test('a changed setting replaces only the pods that use it', async () => {
  const before = await render();
  const after = await render({ services: { ledger: { databasePoolSize: 20 } } });

  const stamps = (manifests: Manifest[]) =>
    Object.fromEntries(
      workloadsOf(manifests).map(({ name, template }) => [
        name,
        template.metadata.annotations['plataforma/settings'],
      ]),
    );
  const changed = Object.entries(stamps(after)).filter(([name, stamp]) => stamps(before)[name] !== stamp);
  expect(changed.map(([name]) => name)).toEqual(['plataforma-ledger']);
});

describe('migrations', () => {
  const migrationsOf = (manifests: Manifest[]) => ofKind(manifests, 'Job');

  test('run once for each service before a release', async () => {
    const jobs = migrationsOf(await render(sandbox));

    expect(namesOf(jobs)).toEqual(
      [...services, 'sandbox-psp'].map((name) => `${named(name)}-migration`).sort(),
    );
    for (const { metadata } of jobs) {
      expect(metadata.annotations).toEqual({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '0',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      });
    }
  });

  test('need nothing that the release itself creates', async () => {
    const manifests = await render(variants['with everything at once'], { isUpgrade: true });
    const made = new Set(
      ofKind(manifests, 'ConfigMap', 'ServiceAccount').map(({ metadata }) => metadata.name),
    );

    for (const { kind, template } of workloadsOf(manifests)) {
      if (kind !== 'Job') continue;
      expect(made.has(template.spec.serviceAccountName)).toBe(false);
      expect(template.spec.containers.flatMap(({ envFrom }) => envFrom)).toEqual([]);
      expect(template.spec.volumes.filter((volume) => 'configMap' in volume)).toEqual([]);
    }
  });

  test('are hooks, except at an installation that creates the databases', async () => {
    const installed = migrationsOf(await render(ownServers));
    const upgraded = migrationsOf(await render(ownServers, { isUpgrade: true }));

    expect(installed.map(({ metadata }) => metadata.annotations)).toEqual(services.map(() => ({})));
    for (const { metadata } of upgraded) expect(metadata.annotations['helm.sh/hook']).toMatch(/pre-upgrade/);
    expect(namesOf(installed).filter((name) => namesOf(upgraded).includes(name))).toEqual([]);
  });

  test('have pods that no Service selects', async () => {
    const manifests = await render();
    const jobs = workloadsOf(manifests).filter(({ kind }) => kind === 'Job');

    for (const { spec } of ofKind(manifests, 'Service')) {
      const { selector } = z.object({ selector: z.record(z.string(), z.string()) }).parse(spec);
      for (const { template } of jobs) expect(matches(selector, template.metadata.labels)).toBe(false);
    }
  });
});

test('database and broker resources stay after the release is removed', async () => {
  const servers = ofKind(await render(ownServers), 'Cluster', 'RabbitmqCluster');

  expect(namesOf(servers)).toEqual(
    [...services.map((name) => `${named(name)}-db`), 'plataforma-rabbitmq'].sort(),
  );
  for (const { metadata } of servers) expect(metadata.annotations['helm.sh/resource-policy']).toBe('keep');
});

test('a database has connections for all pods during a rollout', async () => {
  const manifests = await render({ ...ownServers, keda: { enabled: true } });
  const connectionsBeside = 3;

  for (const { metadata, spec } of ofKind(manifests, 'Cluster')) {
    const service = metadata.name.replace(/-db$/, '');
    const settings = ofKind(manifests, 'ConfigMap').find((map) => map.metadata.name === service)?.data ?? {};
    const scaler = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').find(
      (each) => each.metadata.name === service,
    );
    const { maxReplicas, maxReplicaCount } = z
      .object({ maxReplicas: z.number().optional(), maxReplicaCount: z.number().optional() })
      .parse(scaler?.spec ?? {});
    const pods = (maxReplicas ?? maxReplicaCount ?? 2) * 2;
    const { postgresql } = z
      .object({ postgresql: z.object({ parameters: z.record(z.string(), z.string()) }) })
      .parse(spec);

    const pools = Number(settings.DATABASE_POOL_SIZE) + Number(settings.DATABASE_READS_POOL_SIZE);
    const needed = pods * (pools + connectionsBeside);
    expect(Number(postgresql.parameters.max_connections)).toBeGreaterThanOrEqual(needed);
  }
});

test('resource names contain the release within 63 characters', async () => {
  const long = await render(variants['with everything at once'], {
    release: 'payments-of-a-company-with-a-very-long-name',
  });
  const two = await render({}, { release: 'second' });

  for (const { metadata } of long) expect(metadata.name.length).toBeLessThanOrEqual(63);
  expect(namesOf(ofKind(two, 'Service'))).toEqual(services.map((name) => `second-plataforma-${name}`));
  const secrets = containersOf(two).flatMap(({ env }) =>
    env.map(({ valueFrom }) => valueFrom?.secretKeyRef.name),
  );
  expect([...new Set(secrets)].sort()).toEqual(services.map((name) => `second-plataforma-${name}`));
});
