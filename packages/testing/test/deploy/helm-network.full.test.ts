import { describe, expect, test } from '@jest/globals';
import { render, type Values } from './helm-chart.ts';
import { networkOf, type Party, podsOf } from './helm-network.ts';
import { bothWaysIn, ownServers, pages, sandbox } from './helm-variants.ts';

const PORTS = [4369, 5432, 5671, 8000, 8080, 8081, 8082, 8443, 9187, 9464, 15672, 15692, 25672];

const others: Party[] = [
  { name: 'ingress controller', namespace: 'ingress-nginx' },
  { name: 'monitoring', namespace: 'monitoring' },
  { name: 'keda', namespace: 'keda' },
  { name: 'cnpg operator', namespace: 'cnpg-system' },
  { name: 'another pod in the cluster', namespace: 'other' },
  { name: 'another pod in the namespace', namespace: 'pay', labels: { app: 'else' } },
];

/**
 * Lists every connection to a pod of the platform that the network policies allow, as `caller → pod ports`.
 */
async function ways(values: Values): Promise<string[]> {
  const manifests = await render(values);
  const isOpen = networkOf(manifests);
  const pods = podsOf(manifests);
  return [...pods, ...others]
    .flatMap((from) =>
      pods.flatMap((to) => {
        const open = PORTS.filter((port) => isOpen(from, to, port));
        return open.length > 0 ? [`${from.name} → ${to.name} ${open.join(' ')}`] : [];
      }),
    )
    .sort();
}

const services = ['charges', 'gateway', 'ledger', 'webhooks', 'withdrawals'];
const between = [
  'ingress controller → gateway 8080',
  'gateway → charges 8080',
  'gateway → ledger 8080',
  'gateway → webhooks 8080',
  'gateway → withdrawals 8080',
  'charges → gateway 8081',
  'charges → ledger 8080',
  'charges → webhooks 8080',
  'ledger → gateway 8081',
  'ledger → webhooks 8080',
  'withdrawals → charges 8080',
  'withdrawals → gateway 8081',
  'withdrawals → ledger 8080',
  'withdrawals → webhooks 8080',
];
const metricsOf = (names: string[]) => names.map((name) => `monitoring → ${name} 9464`);

describe('connections between pods', () => {
  test('are those that services need and no others', async () => {
    expect(await ways({})).toEqual([...between, ...metricsOf(services)].sort());
  });

  test('include the sandbox bank and its callbacks', async () => {
    const bank = [
      'charges → sandbox-psp 8080 8081',
      'withdrawals → sandbox-psp 8080 8081',
      'sandbox-psp → gateway 8080',
    ];

    expect(await ways(sandbox)).toEqual(
      [...between, ...bank, ...metricsOf([...services, 'sandbox-psp'])].sort(),
    );
  });

  test('lead from ingress to `web` to gateway and broker', async () => {
    const web = ['ingress controller → web 8080', 'web → gateway 8080'];

    expect(await ways(pages)).toEqual([...between, ...web, ...metricsOf([...services, 'web'])].sort());
    expect((await ways({ ...ownServers, ...pages })).filter((way) => way.startsWith('web →'))).toEqual([
      'web → gateway 8080',
      'web → rabbitmq 5671',
    ]);
    expect(await reached('web', pages, [443, 5432])).toEqual([]);
  });

  test('let each service reach its own database only', async () => {
    const servers = services.flatMap((name) => [
      `${name} → ${name}-db 5432`,
      `${name}-migration → ${name}-db 5432`,
      `${name}-db → ${name}-db 5432 8000`,
      `cnpg operator → ${name}-db 8000`,
      `monitoring → ${name}-db 9187`,
      `${name} → rabbitmq 5671`,
    ]);
    const broker = ['rabbitmq → rabbitmq 4369 25672', 'monitoring → rabbitmq 15692', 'keda → rabbitmq 5671'];
    const expected = [...between, ...metricsOf(services), ...servers, ...broker].sort();

    expect(await ways({ ...ownServers, keda: { enabled: true } })).toEqual(expected);
    expect(await ways(ownServers)).toEqual(expected.filter((way) => !way.startsWith('keda')));
  });

  test('let only allowed peers reach the operators’ listener', async () => {
    const manifests = await render(bothWaysIn);
    const gateway = podsOf(manifests).find(({ name }) => name === 'gateway') ?? { name: '' };
    const opened = {
      networkPolicy: {
        adminFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }],
      },
    };

    expect(gateway.labels).toBeDefined();
    expect(await ways(opened)).toContain('another pod in the cluster → gateway 8082');
    expect(
      (await ways({ ...opened, admin: { separate: false } })).filter((way) => way.includes('8082')),
    ).toEqual([]);
  });

  test('skip metrics when disabled, and are unrestricted without policies', async () => {
    expect(await ways({ metrics: { enabled: false } })).toEqual([...between].sort());
    expect(await ways({ networkPolicy: { enabled: false } })).toContain(
      `another pod in the cluster → ledger ${PORTS.join(' ')}`,
    );
  });
});

const addresses = {
  'a merchant': '93.184.216.34',
  'a merchant by IPv6': '2606:2800:220:1::1',
  'the metadata of the cloud': '169.254.169.254',
  'a private address': '10.1.2.3',
  'another private address': '172.20.0.1',
  'a home’s address': '192.168.1.1',
  'a shared address': '100.64.0.1',
  'the machine itself': '127.0.0.1',
  'a multicast address': '224.0.0.1',
  'a local IPv6 address': 'fe80::1',
  'a private IPv6 address': 'fd00::1',
  'IPv4 in IPv6, by NAT64': '64:ff9b::a01:203',
  'IPv4 in IPv6, by 6to4': '2002:a01:203::1',
  'IPv4 in IPv6, by Teredo': '2001:0:a01:203::1',
};

/** Returns the external addresses to which a service may connect, with their ports. */
async function reached(service: string, values: Values, ports: number[]) {
  const manifests = await render(values);
  const isOpen = networkOf(manifests);
  const pod = podsOf(manifests).find(({ name }) => name === service);
  if (!pod) throw new Error(`no ${service}`);
  return Object.entries(addresses).flatMap(([name, address]) =>
    ports.filter((port) => isOpen(pod, { name, address }, port)).map((port) => `${name} ${port}`),
  );
}

describe('the internet', () => {
  test('is open to webhooks, and on 443 to charges and withdrawals', async () => {
    const ports = [80, 443, 8443];
    const withHttps = ['a merchant 443', 'a merchant by IPv6 443'];

    expect(await reached('webhooks', {}, ports)).toEqual([
      ...ports.map((port) => `a merchant ${port}`),
      ...ports.map((port) => `a merchant by IPv6 ${port}`),
    ]);
    expect(await reached('charges', {}, ports)).toEqual(withHttps);
    expect(await reached('withdrawals', {}, ports)).toEqual(withHttps);
    for (const service of ['gateway', 'ledger', 'gateway-migration', 'webhooks-migration']) {
      expect(await reached(service, {}, ports)).toEqual([]);
    }
  });

  test('is closed to a service that names its provider’s address', async () => {
    const provider = { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ port: 8443 }] };
    const values = { services: { charges: { internet: { enabled: false }, extraEgress: [provider] } } };

    expect(await reached('charges', values, [80, 443, 8443])).toEqual(['a private address 8443']);
  });
});

describe('external servers', () => {
  const at = (cidr: string) => [{ ipBlock: { cidr } }];

  test('are reached only at their addresses and ports', async () => {
    const named = {
      postgresql: { external: { peers: at('10.1.2.3/32') } },
      rabbitmq: { external: { port: 5671, peers: at('172.20.0.1/32') } },
      services: { ledger: { databasePeers: at('192.168.1.1/32') } },
    };

    expect(await reached('gateway', named, [5432, 5671])).toEqual([
      'a private address 5432',
      'another private address 5671',
    ]);
    expect(await reached('ledger', named, [5432, 5671])).toEqual([
      'another private address 5671',
      'a home’s address 5432',
    ]);
    expect(await reached('ledger-migration', named, [5432, 5671])).toEqual(['a home’s address 5432']);
  });

  test('are resolved by every pod at the cluster’s DNS', async () => {
    const manifests = await render(sandbox);
    const isOpen = networkOf(manifests);
    const dns = { name: 'dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };

    for (const pod of podsOf(manifests)) {
      expect(isOpen(pod, dns, 53, 'UDP') && isOpen(pod, dns, 53)).toBe(true);
      expect(isOpen(pod, { ...dns, namespace: 'other' }, 53, 'UDP')).toBe(false);
    }
  });

  test('receive traces only when a collector is configured', async () => {
    const traced = await render({ traces: { endpoint: 'http://collector.monitoring:4318' } });
    const collector = { name: 'collector', namespace: 'monitoring' };

    for (const manifests of [traced, await render()]) {
      const isOpen = networkOf(manifests);
      const open = podsOf(manifests).filter((pod) => isOpen(pod, collector, 4318));
      expect(open.map(({ name }) => name)).toEqual(manifests === traced ? services : []);
    }
  });
});
