import { TestEnvironment } from 'jest-environment-node';
import { ownerOf } from './tiers.ts';

declare global {
  /** Jest's teardown calls this in a run without workers, because such a run ends there. */
  var stopSharedWorld: (() => Promise<void>) | undefined;
}

/** The message that jest-worker sends to a worker that gets no more test files. */
const CHILD_MESSAGE_END = 2;
const FAILURES = new Set(['error', 'hook_failure', 'test_fn_failure']);

/**
 * The files of a worker share one set of globals, so that `jest-runtime.ts` can lend one file's modules to
 * the next.
 */
class WorkerEnvironment extends TestEnvironment {
  testPath = '';
  #owner = '';
  #hasFailed = false;

  /** The files of one service share a world until a file fails. */
  override async setup(): Promise<void> {
    const owner = ownerOf(this.testPath);
    if (owner !== this.#owner || this.#hasFailed) await this.stopSharedWorld();
    this.#owner = owner;
    this.#hasFailed = false;
  }

  handleTestEvent({ name }: { name: string }): void {
    if (FAILURES.has(name)) this.#hasFailed = true;
  }

  /** The environment stays for the next file; only a test's fake clock is removed. */
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

/** Returns the worker's one environment. Jest calls this with `new` for each test file. */
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
  // An interrupted run must end its workers, because a shared world would keep them alive.
  const endAtOnce = () => process.exit(1);
  process.on('disconnect', endAtOnce);
  process.on('message', function endWorker(message) {
    if (!Array.isArray(message) || message[0] !== CHILD_MESSAGE_END) return;
    process.off('message', endWorker).off('disconnect', endAtOnce);
    // Jest stops the servers next, so that the world needs no orderly stop.
    if (begun.global.sharedWorld) process.exit();
  });
  return begun;
}
