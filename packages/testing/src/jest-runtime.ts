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

/** The methods of jest's runtime that this module uses. */
interface Runtime {
  requireModuleOrMock(from: string, name: string): unknown;
  getSourceMaps(): Map<string, string>;
}

/**
 * At run time, `jestRuntime.default` is the class. According to the package's CommonJS types, it would be the
 * module, so zod checks the value and sets its type.
 */
const JestRuntime = z
  .custom<new (...args: RuntimeArguments) => Runtime>((value) => typeof value === 'function')
  .parse(jestRuntime.default);

/**
 * Modules without state, which all test files of a worker process share. prom-client is excluded, because it
 * stores metrics.
 */
const OF_WORKER =
  /^(?!.*\/prom-client@).*\/(?:node_modules|packages\/(?:brcode|contracts|events|kernel)\/src)\//;
/**
 * Modules that are loaded once for all test files of one service or package, such as the sources of the
 * services.
 */
const OF_OWNER =
  /\/node_modules\/|\/(?:services\/[^/]+|packages\/(?!(?:lab|local|testing)\/)[^/]+)\/(?:src|migrations)\//;
/** The conditions with which Node resolves the exports of a package for `require`. */
const CONDITIONS = ['require', 'default', 'node', 'node-addons'];

/**
 * Test files of metrics share no modules, because a metric counts from the time when its module was loaded.
 */
const ALONE = /metrics[^/]*\.test\.ts$/;

interface Lender {
  runtime: Runtime;
  lends: RegExp;
}

/**
 * Takes shared modules from another runtime, the lender, which outlives the test file. Loads all other
 * modules itself.
 */
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

  /**
   * Jest calls this method once, before modules are loaded, and reads the returned map later. The map
   * therefore looks up a path only when Jest asks for it.
   */
  override getSourceMaps(): Map<string, string> {
    const [own, lent] = [super.getSourceMaps(), this.#lender?.runtime.getSourceMaps()];
    return Object.assign(new Map<string, string>(), {
      get: (path: string) => own.get(path) ?? lent?.get(path),
    });
  }
}

let ofWorker: Runtime | undefined;
/**
 * One runtime for each service or package. A runtime that several services shared would also contain the
 * metrics of the other services.
 */
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

export default class FileRuntime extends BorrowingRuntime {
  constructor(...args: RuntimeArguments) {
    super(lenderOf(args), ...args);
  }
}
