import * as jestRuntime from 'jest-runtime';
import { z } from 'zod';

interface Resolver {
  isCoreModule(name: string): boolean;
  resolveModule(from: string, name: string, options: { conditions: readonly string[] }): string;
}

type Parts = [config: unknown, environment: unknown, resolver: Resolver, ...others: unknown[]];

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
 * What is loaded once a worker, not once a file: third parties' packages and what services are made of. Tests, and what
 * keeps something for one file of them, are not.
 */
const SHARED =
  /\/node_modules\/|\/(?:services\/[^/]+|packages\/(?!(?:chaos|local|testing)\/)[^/]+)\/(?:src|migrations)\//;
/** As CommonJS resolves. */
const CONDITIONS = ['require', 'default', 'node', 'node-addons'];

let shared: Runtime | undefined;

/** Loads a test file; what it shares with the worker's other files comes from a runtime that outlives it. */
export default class SharingRuntime extends JestRuntime {
  readonly #resolver: Resolver;

  constructor(...parts: Parts) {
    super(...parts);
    this.#resolver = parts[2];
    shared ??= new JestRuntime(...parts);
  }

  override requireModuleOrMock(from: string, name: string): unknown {
    if (shared && this.#isShared(from, name)) return shared.requireModuleOrMock(from, name);
    return super.requireModuleOrMock(from, name);
  }

  #isShared(from: string, name: string): boolean {
    if (name.startsWith('@jest/') || this.#resolver.isCoreModule(name)) return false;
    return SHARED.test(this.#resolver.resolveModule(from, name, { conditions: CONDITIONS }));
  }

  /** Asked once, before anything is loaded, and read when an error is shown. */
  override getSourceMaps(): Map<string, string> {
    const [own, lent] = [super.getSourceMaps(), shared?.getSourceMaps()];
    return Object.assign(new Map<string, string>(), {
      get: (path: string) => own.get(path) ?? lent?.get(path),
    });
  }
}
