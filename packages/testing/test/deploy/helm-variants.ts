import type { Values } from './helm-chart.ts';

const tls = { tlsSecret: 'bank-certificate', tlsAuthority: true };
const bank = (name: string) => ({ enabled: true, url: `https://${name}.example`, ...tls });
const cards = {
  enabled: true,
  url: 'https://cards.example/core/v5',
  tokenizeUrl: 'https://cards.example/tokens',
};
const unscaled = { enabled: false, minReplicas: 2, maxReplicas: 2, targetCPUUtilizationPercentage: 50 };
const placed = {
  podAnnotations: { team: 'payments' },
  podLabels: { team: 'payments' },
  nodeSelector: { pool: 'payments' },
  tolerations: [{ key: 'pool', operator: 'Equal', value: 'payments', effect: 'NoSchedule' }],
  priorityClassName: 'high',
  extraEgress: [{ to: [{ ipBlock: { cidr: '10.7.0.0/16' } }], ports: [{ port: 8443 }] }],
};
const backup = {
  retentionPolicy: '30d',
  barmanObjectStore: { destinationPath: 's3://backups', s3Credentials: { inheritFromIAMRole: true } },
};

export const sandbox = { services: { 'sandbox-psp': { enabled: true } } };

const open = (host: string) => ({ enabled: true, className: 'nginx', host });

/** Values that open the dashboard and the checkout to browsers, each with its own host name. */
export const pages = {
  services: {
    web: { enabled: true, config: { TRUSTED_PROXIES: '10.4.0.0/16' } },
    gateway: { config: { TRUSTED_PROXIES: '10.4.0.0/16' } },
  },
  pages: { dashboard: open('painel.plataforma.example'), checkout: open('pagar.plataforma.example') },
};

export const ownServers = {
  postgresql: {
    cnpg: {
      enabled: true,
      imageName: 'ghcr.io/cloudnative-pg/postgresql:18.1',
      storage: { size: '50Gi', storageClass: 'fast' },
      podMonitor: true,
      backup,
      plugins: [{ name: 'barman-cloud.cloudnative-pg.io', parameters: { barmanObjectName: 'store' } }],
    },
  },
  rabbitmq: {
    operator: {
      enabled: true,
      image: 'rabbitmq:4.2.1',
      storage: { size: '20Gi', storageClass: 'fast' },
      additionalConfig: 'channel_max = 512',
    },
  },
};

export const providers = {
  providers: {
    pix: { sandbox: bank('pix-h'), production: { ...bank('pix'), refunds: false } },
    card: { sandbox: cards, production: cards },
    payout: { sandbox: bank('payout-h'), production: bank('payout') },
  },
};

export const bothWaysIn = {
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    host: 'api.plataforma.example',
    tlsSecret: 'api-certificate',
  },
  admin: { ingress: { enabled: true, className: 'inside', host: 'admin.plataforma.example' } },
  networkPolicy: { adminFrom: [{ namespaceSelector: { matchLabels: { door: 'inside' } } }] },
};

const watched = {
  metrics: { podMonitor: { enabled: true, labels: { release: 'prometheus' } }, annotations: true },
  traces: { endpoint: 'http://collector.monitoring:4318' },
};

/** Sets of values. Together they change every switch of the chart at least once. */
export const variants: Record<string, Values> = {
  'with default values': {},
  'with the sandbox': sandbox,
  'with servers of its own': ownServers,
  'scaled by queues': { keda: { enabled: true } },
  'scaled by queues that are its own': { ...ownServers, keda: { enabled: true } },
  'not scaled at all': {
    services: { gateway: { autoscaling: unscaled }, charges: { autoscaling: unscaled } },
  },
  'scaled by CPU and by queues': {
    keda: { enabled: true },
    services: { ledger: { autoscaling: { enabled: true } }, charges: { queueScaling: { enabled: true } } },
  },
  'with both Ingresses': bothWaysIn,
  'with pages for browsers': pages,
  'without a listener of their own for operators': { admin: { separate: false } },
  'without network policies': { networkPolicy: { enabled: false }, ...sandbox },
  'watched by everything': watched,
  'watched by nothing': { metrics: { enabled: false } },
  'without migrations and budgets': {
    migrations: { enabled: false },
    podDisruptionBudget: { enabled: false },
    topologySpread: { whenUnsatisfiable: 'DoNotSchedule' },
  },
  'with all providers': providers,
  'with images by digest, pulled with a secret': {
    image: { repository: 'registry.example/plataforma', pullSecrets: ['registry'], pullPolicy: 'Always' },
    services: { ledger: { image: { digest: `sha256:${'ab'.repeat(32)}` }, ...placed } },
  },
  'with everything at once': {
    ...ownServers,
    ...providers,
    ...bothWaysIn,
    ...watched,
    ...pages,
    services: {
      ...pages.services,
      ...sandbox.services,
      web: { ...pages.services.web, previousImage: 'registry.example/plataforma/web:0.0.9' },
    },
    keda: { enabled: true },
  },
};
