import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const classes = {
  ...{ Date, Map, Set, RegExp, Promise },
  ...{ Error, AggregateError, RangeError, SyntaxError, TypeError, URIError },
};
const isOrdinaryInstance = Function.prototype[Symbol.hasInstance];

/**
 * Offers `requireOnce` to the stubs of `jest-shared.ts`: a package is loaded once a worker, not once a file. What such
 * packages make is of the worker's classes, and counts as of a test's.
 */
export default class SharingEnvironment extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args);
    const { global } = this;
    Object.assign(global, { requireOnce: createRequire(import.meta.url) });
    for (const [name, ofWorker] of Object.entries(classes)) {
      const own: unknown = Reflect.get(global, name);
      Object.defineProperty(own, Symbol.hasInstance, {
        configurable: true,
        // A class that extends it has this, too.
        value(this: unknown, one: unknown): boolean {
          return (
            isOrdinaryInstance.call(this, one) || (this === own && isOrdinaryInstance.call(ofWorker, one))
          );
        },
      });
    }
  }
}
