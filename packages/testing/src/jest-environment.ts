import { TestEnvironment } from 'jest-environment-node';
import { ownerOf } from './tiers.ts';

declare global {
  /** Called by jest's teardown, which ends a run without workers. */
  var stopSharedWorld: (() => Promise<void>) | undefined;
}

/** Jest-worker sends it to a worker that gets no more test files. */
const CHILD_MESSAGE_END = 2;
const FAILURES = new Set(['error', 'hook_failure', 'test_fn_failure']);

/** Its globals are those of all files of a worker, so that `jest-runtime.ts` can lend one file's modules to the next. */
class WorkerEnvironment extends TestEnvironment {
  testPath = '';
  #owner = '';
  #hasFailed = false;

  /** A shared world serves the files of one service, until one of them fails. */
  override async setup(): Promise<void> {
    const owner = ownerOf(this.testPath);
    if (owner !== this.#owner || this.#hasFailed) await this.stopSharedWorld();
    this.#owner = owner;
    this.#hasFailed = false;
  }

  handleTestEvent({ name }: { name: string }): void {
    if (FAILURES.has(name)) this.#hasFailed = true;
  }

  /** The environment is there for the next file; only a clock that a test has set goes. */
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

/** Called with `new`, for each test file. */
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
  // A run that is cut short leaves no worker behind: its world would keep it alive for good.
  const endAtOnce = () => process.exit(1);
  process.on('disconnect', endAtOnce);
  process.on('message', function endWorker(message) {
    if (!Array.isArray(message) || message[0] !== CHILD_MESSAGE_END) return;
    process.off('message', endWorker).off('disconnect', endAtOnce);
    // The servers of the run stop next, so that nothing of the world needs its stop.
    if (begun.global.sharedWorld) process.exit();
  });
  return begun;
}
