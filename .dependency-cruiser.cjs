/** The layer rules: dependencies point one way, and no service imports another. */
const own = '^services/[^/]+/src/';
/** Components of a service that are folders with their own layers. */
const folder = '(?:checkouts|disputes|reconciliation)/';
const rooms = (...names) => `${own}(?:${folder})?(?:${names.join('|')})/`;
const notIn = (...names) => `${own}(?!(?:${folder})?(?:${names.join('|')})/)`;
/** The names of metrics and fail points, which every layer except the domain uses. */
const definitions = `${own}(?:metrics|fail-points)\\.ts$`;
const entrances = [
  rooms('http'),
  `${own}(?:apply-events|schedule|dependencies|tuning|gauges|service|main|config|migrate|reseal)\\.ts$`,
];

/** The packages of this repository that the source of each package may import. */
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
  // The top layer: it starts the servers, relays and listeners that the other packages define.
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
        'domain/ decides: it imports kernel, brcode and types of others; no listener, store or operation',
      severity: 'error',
      from: { path: rooms('domain') },
      to: { path: [notIn('domain'), '^packages/(?!(?:kernel|brcode|contracts|events|work)/)'] },
    },
    {
      name: 'domain-runs-kernel-and-brcode-only',
      comment:
        'brcode is a pure codec, whose check digits should exist once; from contracts, events and work ' +
        'the domain imports types only, and runs none of their code: no schema, no server, no worker',
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
      comment: 'shared code is a function of the domain or the store; or a caller calls both or injects one',
      severity: 'error',
      from: { path: rooms('operations') },
      to: { path: rooms('operations') },
    },
    {
      name: 'no-steps',
      comment: 'an operation opens the transaction and calls functions of the domain and the store in it',
      severity: 'error',
      from: {},
      to: { path: ['^services/[^/]+/src/steps/', '^services/[^/]+/src/[^/]+/steps/'] },
    },
    {
      name: 'folders-are-known-to-entrances-only',
      comment:
        'domain, operations and store of a service do not import the components that have their own folders',
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
        'calls to services, providers and others go through packages/http; gateway and web forward requests',
      severity: 'error',
      from: {
        path: '/src/',
        pathNot: [
          '^packages/(http|testing|lab)/',
          '^services/gateway/src/http/buffered-forward',
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
      comment: 'browsers and merchants run it, so that it imports only types of the contract',
      severity: 'error',
      from: { path: '^packages/sdk/src/' },
      to: { path: ['^packages/(?!sdk/)', 'node_modules'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdk-runs-anywhere',
      comment: 'it needs fetch and Web Crypto, and no module of Node',
      severity: 'error',
      from: { path: '^packages/sdk/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pages-run-in-browsers',
      comment:
        'they import the client of the SDK, the files of the contract for forms and words, and the files ' +
        'of kernel for colours, documents, phones, time zones and web addresses, and the types of Pix keys; ' +
        'nothing of a server',
      severity: 'error',
      from: { path: '^services/web/pages/' },
      to: {
        path: ['^packages/', '^services/'],
        pathNot: [
          '^services/web/pages/',
          '^packages/sdk/src/client/',
          '^packages/contracts/src/(?:forms/|fields|catalogue|value-words)',
          '^packages/brcode/src/pix-key\\.ts$',
          '^packages/kernel/src/(?:colours|documents|phones|time-zones|weak-passwords|web-addresses)\\.ts$',
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
      comment: 'a buyer waits for it, so that it uses Preact and imports nothing of the dashboard',
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
      comment: 'it serves the built pages and does not import their source',
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
      comment: 'it loads compilers, which no server needs',
      severity: 'error',
      from: { path: '^(?:packages|services)/[^/]+/src/', pathNot: '^packages/pack/' },
      to: { path: '^packages/pack/' },
    },
    {
      name: 'local-is-for-one-machine',
      comment: 'it starts servers and services on one machine; deployed code does not import it',
      severity: 'error',
      from: { pathNot: '^packages/(local|testing|lab)/' },
      to: { path: '^packages/local/' },
    },
    {
      name: 'examples-have-what-merchants-have',
      comment: 'examples import the SDK and packages of the registry only',
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
      comment: 'it measures and breaks the platform from outside; no other package imports it',
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
