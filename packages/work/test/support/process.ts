import {
  type Claimed,
  type ExternalOrderPolicy,
  externalOrder,
  type Lease,
  type OrderState,
} from '../../src/index.ts';
import type { Outcome } from './provider.ts';

export interface Policy extends ExternalOrderPolicy<OrderState, Outcome, null> {
  claimDue(): Claimed<OrderState> | null;
}

async function takeUp(policy: Policy): Promise<void> {
  const claimed = policy.claimDue();
  if (claimed) await externalOrder(policy).advance(claimed);
}

/** A point in the saga at which a process waits until the walk resumes the process. */
export type Point = 'save' | 'token' | 'request' | 'answer' | 'find' | 'found';

/** The maximum number of passes of the microtask queue that the saga needs from one `Point` to the next. */
const MOST_TURNS = 100;

/** One replica of a service. It runs the real saga, and waits at each `Point` until the test resumes it. */
export class Process {
  readonly name: string;
  readonly #policy: (process: Process) => Policy;
  #resume: (() => void) | null = null;
  #fail: ((error: Error) => void) | null = null;
  #life = 0;
  /** The point at which the process waits. Null while the process runs or is idle. */
  point: Point | null = null;
  isIdle = true;
  lease: Lease | null = null;
  /** The time until which the process pauses. */
  wakesAt = 0;
  /** True while the request of the process is delayed on its way. */
  isWaiting = false;

  constructor(name: string, policy: (process: Process) => Policy) {
    this.name = name;
    this.#policy = policy;
  }

  /** Stops the process at a point. The promise resolves when the walk resumes the process. */
  reach(point: Point): Promise<void> {
    this.point = point;
    return new Promise((resolve, reject) => {
      this.#resume = resolve;
      this.#fail = reject;
    });
  }

  /** Claims the order if it is due, and runs until the process waits at a `Point` or is idle. */
  async start(): Promise<void> {
    const life = this.#life;
    const rest = () => {
      if (life === this.#life) this.isIdle = true;
    };
    this.isIdle = false;
    takeUp(this.#policy(this)).then(rest, rest);
    await this.#run();
  }

  async resume(): Promise<void> {
    this.point = null;
    this.isWaiting = false;
    this.#resume?.();
    await this.#run();
  }

  async fail(message: string): Promise<void> {
    this.point = null;
    this.isWaiting = false;
    this.#fail?.(new Error(message));
    await this.#run();
  }

  /** Kills the process. It restarts at once without its memory. */
  die(): void {
    this.#life += 1;
    this.point = null;
    this.lease = null;
    this.isIdle = true;
    this.isWaiting = false;
    this.wakesAt = 0;
  }

  async #run(): Promise<void> {
    for (let turns = 0; this.point === null && !this.isIdle; turns += 1) {
      if (turns === MOST_TURNS) throw new Error('the saga waits for something that is not a port');
      await null;
    }
  }
}
