import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { type Manifest, matches, ofKind, workloadsOf } from './helm-chart.ts';

const labels = z.record(z.string(), z.string()).default({});
const selector = z.strictObject({ matchLabels: labels });
const peer = z.strictObject({
  podSelector: selector.optional(),
  namespaceSelector: selector.optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const port = z.strictObject({
  port: z.int(),
  endPort: z.int().optional(),
  protocol: z.enum(['TCP', 'UDP']).default('TCP'),
});
const rule = z.strictObject({
  from: z.array(peer).optional(),
  to: z.array(peer).optional(),
  ports: z.array(port),
});
const policy = z.strictObject({
  podSelector: selector,
  policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
  ingress: z.array(rule).default([]),
  egress: z.array(rule).default([]),
});

/** One side of a connection: a pod in any namespace, or an address outside the cluster. */
export interface Party {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  address?: string;
}

type Policy = z.infer<typeof policy>;
type Rule = z.infer<typeof rule>;

const NAMESPACE = 'pay';

/**
 * Returns the pods of an installation: those of the services, of the migrations, and of PostgreSQL and
 * RabbitMQ.
 */
export function podsOf(manifests: readonly Manifest[]): Party[] {
  const ours = workloadsOf(manifests).map(({ template }) => ({
    name: template.metadata.labels['app.kubernetes.io/component'] ?? '',
    namespace: NAMESPACE,
    labels: template.metadata.labels,
  }));
  const servers = ofKind(manifests, 'Cluster', 'RabbitmqCluster').map(({ kind, metadata: { name } }) => ({
    name: name.replace('plataforma-', ''),
    namespace: NAMESPACE,
    labels: { [kind === 'Cluster' ? 'cnpg.io/cluster' : 'app.kubernetes.io/name']: name },
  }));
  return [...ours, ...servers];
}

/**
 * Returns a function that decides whether the network policies allow a connection. A connection is allowed if
 * any rule allows it, or if no policy selects the pod (networking.k8s.io/v1).
 */
export function networkOf(manifests: readonly Manifest[]) {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => policy.parse(spec));
  return (from: Party, to: Party, number: number, protocol: 'TCP' | 'UDP' = 'TCP'): boolean => {
    const admits = ({ ports }: Rule, peers: Rule['from'], other: Party) =>
      ports.some(
        (each) => each.protocol === protocol && number >= each.port && number <= (each.endPort ?? each.port),
      ) &&
      (peers === undefined || peers.some((each) => isPeer(each, other)));
    const leaving = applying(policies, 'Egress', from);
    const arriving = applying(policies, 'Ingress', to);
    return (
      (leaving.length === 0 ||
        leaving.some(({ egress }) => egress.some((each) => admits(each, each.to, to)))) &&
      (arriving.length === 0 ||
        arriving.some(({ ingress }) => ingress.some((each) => admits(each, each.from, from))))
    );
  };
}

function applying(policies: Policy[], type: 'Ingress' | 'Egress', party: Party): Policy[] {
  if (party.namespace !== NAMESPACE) return [];
  return policies.filter(
    ({ podSelector, policyTypes }) =>
      policyTypes.includes(type) && matches(podSelector.matchLabels, party.labels ?? {}),
  );
}

function isPeer({ ipBlock, namespaceSelector, podSelector }: z.infer<typeof peer>, party: Party): boolean {
  if (ipBlock) {
    if (!party.address) return false;
    return isWithin(party.address, [ipBlock.cidr]) && !isWithin(party.address, ipBlock.except);
  }
  if (party.namespace === undefined) return false;
  const itsNamespace = { 'kubernetes.io/metadata.name': party.namespace };
  const isThere = namespaceSelector
    ? matches(namespaceSelector.matchLabels, itsNamespace)
    : party.namespace === NAMESPACE;
  return isThere && matches(podSelector?.matchLabels ?? {}, party.labels ?? {});
}

function isWithin(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
