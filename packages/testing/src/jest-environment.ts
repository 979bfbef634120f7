import { TestEnvironment } from 'jest-environment-node';
import { ownerOf } from './tiers.ts';

declare global {
  /**
   * Stops the shared test environment. Jest's teardown calls the function in a run without worker processes.
   */
  var stopSharedWorld: (() => Promise<void>) | undefined;
}

/** The message with which jest ends a worker process that gets no more test files. */
const CHILD_MESSAGE_END = 2;
const FAILURES = new Set(['error', 'hook_failure', 'test_fn_failure']);

/**
 * All test files of a worker process run with the same global objects, so that `jest-runtime.ts` can reuse
 * loaded modules in the next file.
 */
class WorkerEnvironment extends TestEnvironment {
  testPath = '';
  #owner = '';
  #hasFailed = false;

  /**
   * Stops the shared test environment if the next file belongs to another service, or if the previous file
   * failed.
   */
  override async setup(): Promise<void> {
    const owner = ownerOf(this.testPath);
    if (owner !== this.#owner || this.#hasFailed) await this.stopSharedWorld();
    this.#owner = owner;
    this.#hasFailed = false;
  }

  handleTestEvent({ name }: { name: string }): void {
    if (FAILURES.has(name)) this.#hasFailed = true;
  }

  /**
   * Removes only a test's fake clock. The rest of the environment stays, because the next test file uses the
   * same global objects.
   */
  override async teardown(): Promise<void> {
    this.fakeTimersModern?.useRealTimers();
  }

  async stopSharedWorld(): Promise<void> {
    const { sharedWorld } = this.global;
    this.global.sharedWorld = undefined;
    await sharedWorld?.stop();
  }
}

let environment: WorkerEnvironment | undefined;

/**
 * Returns the same environment for all test files of the worker. Jest calls the function with `new` for each
 * file.
 */
export default function environmentOfWorker(
  ...args: ConstructorParameters<typeof TestEnvironment>
): WorkerEnvironment {
  environment ??= beginEnvironment(args);
  environment.testPath = args[1].testPath;
  return environment;
}

function beginEnvironment(args: ConstructorParameters<typeof TestEnvironment>): WorkerEnvironment {
  const begun = new WorkerEnvironment(...args);
  globalThis.stopSharedWorld = () => begun.stopSharedWorld();
  // The worker must end itself if the run is interrupted, because the servers of the shared test environment
  // would keep it alive.
  process.on('disconnect', () => process.exit(1));
  process.on('message', function endWorker(message) {
    if (!Array.isArray(message) || message[0] !== CHILD_MESSAGE_END) return;
    // Jest waits for the worker's end. An orderly exit first frees hundreds of megabytes and closes servers,
    // and nothing is left to write.
    process.kill(process.pid, 'SIGKILL');
  });
  return begun;
}
