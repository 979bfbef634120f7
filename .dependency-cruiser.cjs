/** The layer rules: dependencies point one way, and no service knows another. */
const room = (name) => `^services/[^/]+/src/${name}/`;

/** What the source of each package may import of ours. */
const floors = {
  kernel: [],
  brcode: [],
  contracts: ['kernel'],
  events: ['kernel'],
  observe: ['kernel'],
  data: ['kernel', 'contracts', 'observe'],
  work: ['kernel', 'observe', 'data'],
  http: ['kernel', 'contracts', 'observe', 'data'],
  'ledger-client': ['kernel', 'http'],
  service: ['kernel', 'contracts', 'events', 'observe', 'data', 'http'],
  messaging: ['kernel', 'contracts', 'events', 'observe', 'data', 'http', 'service'],
};

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-know-no-other-service',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'domain-is-pure',
      comment:
        'domain/ decides: no door, no store, no operation, nothing but kernel, contracts, events, brcode, and types of work',
      severity: 'error',
      from: { path: room('domain') },
      to: { path: ['^services/[^/]+/src/(?!domain/)', '^packages/(?!kernel|contracts|events|brcode|work)'] },
    },
    {
      name: 'domain-knows-the-words-of-work',
      comment: 'what an order at a provider is, and no code that works it off',
      severity: 'error',
      from: { path: room('domain') },
      to: { path: '^packages/work', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'store-knows-only-the-domain',
      severity: 'error',
      from: { path: room('store') },
      to: { path: '^services/[^/]+/src/(?!store/|domain/)' },
    },
    {
      name: 'operations-know-no-door-in',
      severity: 'error',
      from: { path: room('operations') },
      to: {
        path: '^services/[^/]+/src/(http/|events\\.ts|schedule\\.ts|service\\.ts|main\\.ts|config\\.ts)',
      },
    },
    {
      name: 'only-the-store-speaks-sql',
      severity: 'error',
      from: { path: '^services/', pathNot: ['/src/store/', '/migrations/', '/test/'] },
      to: { path: '^(pg|knex)$|node_modules/(pg|knex)/' },
    },
    ...Object.entries(floors).map(([name, below]) => ({
      name: `${name}-imports-what-is-below`,
      severity: 'error',
      from: { path: `^packages/${name}/src/` },
      to: { path: `^packages/(?!(?:${[name, ...below].join('|')})/)` },
    })),
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '/src/', pathNot: '^packages/(testing|chaos)/' },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'local-is-for-one-machine',
      comment: 'it starts servers and services; nothing that is deployed builds on it',
      severity: 'error',
      from: { pathNot: '^packages/(local|testing|chaos)/' },
      to: { path: '^packages/local/' },
    },
    {
      name: 'chaos-is-a-program',
      comment: 'it breaks the platform from outside: nothing builds on it, and it looks into no service',
      severity: 'error',
      from: { pathNot: '^packages/chaos/' },
      to: { path: '^packages/chaos/' },
    },
    {
      name: 'nothing-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
