import { TestEnvironment } from 'jest-environment-node';

/** Its globals are those of all files of a worker, so that `jest-runtime.ts` can lend one file's modules to the next. */
class WorkerEnvironment extends TestEnvironment {
  /** It is there for the next file; only a clock that a test has set goes. */
  override async teardown(): Promise<void> {
    this.fakeTimersModern?.useRealTimers();
  }
}

let environment: WorkerEnvironment | undefined;

/** Called with `new`, for each test file. */
export default function environmentOfWorker(
  ...args: ConstructorParameters<typeof TestEnvironment>
): WorkerEnvironment {
  environment ??= new WorkerEnvironment(...args);
  return environment;
}
