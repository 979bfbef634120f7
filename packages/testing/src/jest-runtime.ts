import * as jestRuntime from 'jest-runtime';
import { z } from 'zod';

interface Resolver {
  isCoreModule(name: string): boolean;
  resolveModule(from: string, name: string, options: { conditions: readonly string[] }): string;
}

type Parts = [
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
  .custom<new (...parts: Parts) => Runtime>((value) => typeof value === 'function')
  .parse(jestRuntime.default);

/**
 * What the test files of one service or package share in a worker: third parties' packages and what services are made
 * of. Tests are loaded for each file, and so is what keeps something for one file of them.
 */
const SHARED =
  /\/node_modules\/|\/(?:services\/[^/]+|packages\/(?!(?:chaos|local|testing)\/)[^/]+)\/(?:src|migrations)\//;
/** As CommonJS resolves. */
const CONDITIONS = ['require', 'default', 'node', 'node-addons'];

/** They count what their process has done. */
const ALONE = /metrics[^/]*\.test\.ts$/;
const OWNER = /^.*\/(?:services|packages)\/[^/]+\//;

/** By owner: metrics, for one, are kept in a module, and those of another service would be shown beside its own. */
const runtimes = new Map<string, Runtime>();

function sharedBy(parts: Parts): Runtime | null {
  const testPath = parts[6];
  if (ALONE.test(testPath)) return null;
  const [owner] = OWNER.exec(testPath) ?? [''];
  const runtime = runtimes.get(owner) ?? new JestRuntime(...parts);
  runtimes.set(owner, runtime);
  return runtime;
}

/** Loads a test file; what it shares with others comes from a runtime that outlives it. */
export default class SharingRuntime extends JestRuntime {
  readonly #resolver: Resolver;
  readonly #shared: Runtime | null;

  constructor(...parts: Parts) {
    super(...parts);
    this.#resolver = parts[2];
    this.#shared = sharedBy(parts);
  }

  override requireModuleOrMock(from: string, name: string): unknown {
    if (this.#shared && this.#isShared(from, name)) return this.#shared.requireModuleOrMock(from, name);
    return super.requireModuleOrMock(from, name);
  }

  #isShared(from: string, name: string): boolean {
    if (name.startsWith('@jest/') || this.#resolver.isCoreModule(name)) return false;
    return SHARED.test(this.#resolver.resolveModule(from, name, { conditions: CONDITIONS }));
  }

  /** Asked once, before anything is loaded, and read when an error is shown. */
  override getSourceMaps(): Map<string, string> {
    const [own, lent] = [super.getSourceMaps(), this.#shared?.getSourceMaps()];
    return Object.assign(new Map<string, string>(), {
      get: (path: string) => own.get(path) ?? lent?.get(path),
    });
  }
}
