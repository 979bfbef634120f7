/** The layer rules: dependencies point one way, and no service knows another. */
const own = '^services/[^/]+/src/';
/** Parts of a service that are folders with rooms of their own. */
const folder = '(?:checkouts|disputes|reconciliation)/';
const rooms = (...names) => `${own}(?:${folder})?(?:${names.join('|')})/`;
const notIn = (...names) => `${own}(?!(?:${folder})?(?:${names.join('|')})/)`;
/** Names of what is measured, and of where a process may die: any room but the domain uses them. */
const definitions = `${own}(?:metrics|fail-points)\\.ts$`;
const entrances = [
  rooms('http'),
  `${own}(?:events|schedule|dependencies|tuning|gauges|service|main|config|migrate|reseal)\\.ts$`,
];

/** What the source of each package may import of ours. */
const floors = {
  kernel: [],
  brcode: ['kernel'],
  contracts: ['kernel'],
  build: [],
  'api-docs': ['kernel', 'contracts'],
  docs: ['build', 'contracts', 'api-docs', 'sdk'],
  sdk: ['contracts'],
  pack: ['sdk', 'contracts'],
  cli: ['sdk'],
  mcp: ['cli', 'contracts', 'api-docs', 'sdk'],
  events: ['kernel'],
  observe: ['kernel'],
  data: ['kernel', 'observe'],
  tables: ['kernel', 'contracts', 'events', 'observe', 'data'],
  work: ['kernel', 'observe', 'data'],
  http: ['kernel', 'contracts', 'observe', 'data', 'tables'],
  'ledger-client': ['kernel', 'http'],
  messaging: ['kernel', 'contracts', 'events', 'observe', 'data', 'tables', 'http'],
  // The top: it starts what the others make, a service's relay and listener among them.
  service: ['kernel', 'contracts', 'events', 'observe', 'data', 'tables', 'http', 'messaging'],
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
        'domain/ decides: no entrance, no store, no operation, nothing but kernel, brcode and types of others',
      severity: 'error',
      from: { path: rooms('domain') },
      to: { path: [notIn('domain'), '^packages/(?!(?:kernel|brcode|contracts|events|work)/)'] },
    },
    {
      name: 'domain-runs-kernel-and-brcode-only',
      comment:
        'brcode is a pure codec, and a copy of its check digits would be a second one; of the contract, the events and the ' +
        'orders the domain knows the words, as types, and runs none of their code: no schema, no server, no worker',
      severity: 'error',
      from: { path: rooms('domain') },
      to: { path: '^packages/(?!(?:kernel|brcode)/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'store-knows-only-the-domain',
      severity: 'error',
      from: { path: rooms('store') },
      to: { path: notIn('store', 'domain'), pathNot: definitions },
    },
    {
      name: 'operations-know-no-entrance',
      severity: 'error',
      from: { path: rooms('operations') },
      to: { path: entrances },
    },
    {
      name: 'operations-import-no-operation',
      comment:
        'what two of them need is a function of the domain or the store, or an entrance calls both or injects one',
      severity: 'error',
      from: { path: rooms('operations') },
      to: { path: rooms('operations') },
    },
    {
      name: 'no-steps',
      comment: 'an operation opens the transaction; inside run functions of the domain and the store',
      severity: 'error',
      from: {},
      to: { path: ['^services/[^/]+/src/steps/', '^services/[^/]+/src/[^/]+/steps/'] },
    },
    {
      name: 'folders-are-known-to-entrances-only',
      comment:
        'what a service decides, does and stores does not know the components that are folders of their own',
      severity: 'error',
      from: { path: `${own}(?:domain|store|operations)/` },
      to: { path: own + folder },
    },
    {
      name: 'folders-know-no-other-folder',
      severity: 'error',
      from: { path: `${own}(${folder})` },
      to: { path: own + folder, pathNot: `${own}$1` },
    },
    {
      name: 'only-the-store-speaks-sql',
      severity: 'error',
      from: { path: '^services/', pathNot: [rooms('store'), '/migrations/', '/test/'] },
      to: { path: '^(pg|knex)$|node_modules/(pg|knex)/' },
    },
    {
      name: 'only-http-opens-connections',
      comment:
        'calls of peers, providers and strangers go through packages/http; the gateway and web forward by themselves',
      severity: 'error',
      from: {
        path: '/src/',
        pathNot: [
          '^packages/(http|testing|lab)/',
          '^services/gateway/src/http/whole-exchange',
          '^services/web/src/gateway',
        ],
      },
      to: { path: '^undici$|node_modules/undici/' },
    },
    ...Object.entries(floors).map(([name, below]) => ({
      name: `${name}-imports-what-is-below`,
      severity: 'error',
      from: { path: `^packages/${name}/src/` },
      to: { path: `^packages/(?!(?:${[name, ...below].join('|')})/)` },
    })),
    {
      name: 'sdk-runs-nothing-of-ours',
      comment: 'it is sent to browsers and merchants: of the contract it knows types only',
      severity: 'error',
      from: { path: '^packages/sdk/src/' },
      to: { path: ['^packages/(?!sdk/)', 'node_modules'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdk-runs-anywhere',
      comment: 'it needs fetch and Web Crypto, and nothing of Node',
      severity: 'error',
      from: { path: '^packages/sdk/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pages-run-in-browsers',
      comment:
        'of ours they know the client, of the contract the files that forms use and its words, and of the kernel colours, how a ' +
        'document, a phone number and a web address are read, and the days of time zones; nothing of a server',
      severity: 'error',
      from: { path: '^services/web/pages/' },
      to: {
        path: ['^packages/', '^services/'],
        pathNot: [
          '^services/web/pages/',
          '^packages/sdk/src/client/',
          '^packages/contracts/src/(?:forms/|fields|catalogue|value-words)',
          '^packages/kernel/src/(?:colours|documents|phones|time-zones|web-addresses)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pages-run-no-node',
      severity: 'error',
      from: { path: '^services/web/pages/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-checkout-is-small',
      comment: 'a buyer waits for it: Preact, and nothing of the dashboard',
      severity: 'error',
      from: { path: '^services/web/pages/checkout/' },
      to: {
        path: [
          '^services/web/pages/(?:components|dashboard|console)/',
          'node_modules/(?:react|react-dom|@tanstack)/',
        ],
      },
    },
    {
      name: 'a-server-knows-no-page',
      comment: 'of the pages it knows what is built',
      severity: 'error',
      from: { path: '^services/web/(?:src|build)/' },
      to: { path: '^services/web/pages/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '/src/', pathNot: '^packages/(testing|lab)/' },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'pack-is-for-builds',
      comment: 'it loads compilers: no process that answers anybody does',
      severity: 'error',
      from: { path: '^(?:packages|services)/[^/]+/src/', pathNot: '^packages/pack/' },
      to: { path: '^packages/pack/' },
    },
    {
      name: 'local-is-for-one-machine',
      comment: 'it starts servers and services; nothing that is deployed builds on it',
      severity: 'error',
      from: { pathNot: '^packages/(local|testing|lab)/' },
      to: { path: '^packages/local/' },
    },
    {
      name: 'examples-have-what-merchants-have',
      comment: 'the SDK, and what is on the registry',
      severity: 'error',
      from: { path: '^examples/[^/]+/src/' },
      to: { path: ['^packages/(?!sdk/)', '^services/'] },
    },
    {
      name: 'nothing-builds-on-examples',
      severity: 'error',
      from: { path: '^(?:packages|services)/' },
      to: { path: '^examples/' },
    },
    {
      name: 'lab-is-for-measurements',
      comment: 'it measures and breaks the platform from outside: nothing builds on it',
      severity: 'error',
      from: { pathNot: '^packages/lab/' },
      to: { path: '^packages/lab/' },
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
    exclude: { path: 'node_modules|^(?:services/web|packages/docs)/built/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
