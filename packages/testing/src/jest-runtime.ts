import * as jestRuntime from 'jest-runtime';
import { z } from 'zod';
import { ownerOf } from './tiers.ts';

interface Resolver {
  isCoreModule(name: string): boolean;
  resolveModule(from: string, name: string, options: { conditions: readonly string[] }): string;
}

type RuntimeArguments = [
  config: unknown,
  environment: unknown,
  resolver: Resolver,
  transformer: unknown,
  cache: unknown,
  coverage: unknown,
  testPath: string,
  ...others: unknown[],
];

/** Jest's, as far as this uses it. */
interface Runtime {
  requireModuleOrMock(from: string, name: string): unknown;
  getSourceMaps(): Map<string, string>;
}

/** Its types describe the CommonJS module, whose default is one level deeper. */
const JestRuntime = z
  .custom<new (...args: RuntimeArguments) => Runtime>((value) => typeof value === 'function')
  .parse(jestRuntime.default);

/** Modules that all test files of a worker share: those without state; prom-client has the metrics. */
const OF_WORKER =
  /^(?!.*\/prom-client@).*\/(?:node_modules|packages\/(?:brcode|contracts|events|kernel)\/src)\//;
/** Modules that the test files of one service or package share besides: the sources of services. */
const OF_OWNER =
  /\/node_modules\/|\/(?:services\/[^/]+|packages\/(?!(?:lab|local|testing)\/)[^/]+)\/(?:src|migrations)\//;
/** As CommonJS resolves. */
const CONDITIONS = ['require', 'default', 'node', 'node-addons'];

/** They count what their process has done. */
const ALONE = /metrics[^/]*\.test\.ts$/;

interface Lender {
  runtime: Runtime;
  lends: RegExp;
}

/** Loads what no lender has; what a lender has comes from a runtime that outlives the file. */
class BorrowingRuntime extends JestRuntime {
  readonly #resolver: Resolver;
  readonly #lender: Lender | null;

  constructor(lender: Lender | null, ...args: RuntimeArguments) {
    super(...args);
    this.#resolver = args[2];
    this.#lender = lender;
  }

  override requireModuleOrMock(from: string, name: string): unknown {
    if (this.#lender && this.#isLent(this.#lender, from, name))
      return this.#lender.runtime.requireModuleOrMock(from, name);
    return super.requireModuleOrMock(from, name);
  }

  #isLent({ lends }: Lender, from: string, name: string): boolean {
    if (name.startsWith('@jest/') || this.#resolver.isCoreModule(name)) return false;
    return lends.test(this.#resolver.resolveModule(from, name, { conditions: CONDITIONS }));
  }

  /** Asked once, before anything is loaded, and read when an error is shown. */
  override getSourceMaps(): Map<string, string> {
    const [own, lent] = [super.getSourceMaps(), this.#lender?.runtime.getSourceMaps()];
    return Object.assign(new Map<string, string>(), {
      get: (path: string) => own.get(path) ?? lent?.get(path),
    });
  }
}

let ofWorker: Runtime | undefined;
/** By owner: metrics, for one, are kept in a module, and those of another service would be shown beside its own. */
const ofOwners = new Map<string, Runtime>();

function lenderOf(args: RuntimeArguments): Lender | null {
  const testPath = args[6];
  if (ALONE.test(testPath)) return null;
  const owner = ownerOf(testPath);
  ofWorker ??= new JestRuntime(...args);
  const runtime =
    ofOwners.get(owner) ?? new BorrowingRuntime({ runtime: ofWorker, lends: OF_WORKER }, ...args);
  ofOwners.set(owner, runtime);
  return { runtime, lends: OF_OWNER };
}

/** The runtime of a test file. */
export default class FileRuntime extends BorrowingRuntime {
  constructor(...args: RuntimeArguments) {
    super(lenderOf(args), ...args);
  }
}
