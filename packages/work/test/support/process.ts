import {
  type Claimed,
  type ExternalOrderPolicy,
  externalOrder,
  type Lease,
  type OrderState,
} from '../../src/index.ts';
import type { Outcome } from './provider.ts';

export interface Policy extends ExternalOrderPolicy<OrderState, Outcome, null> {
  /** Null: there is nothing to do. */
  claim(): Claimed<OrderState> | null;
}

/** Advances a due order, as a worker does. */
async function takeUp(policy: Policy): Promise<void> {
  const claimed = policy.claim();
  if (claimed) await externalOrder(policy).advance(claimed);
}

/** Where a process waits until the walker resumes it. */
export type Point = 'save' | 'token' | 'request' | 'answer' | 'find' | 'found';

/** The longest chain of promises between two ports. */
const MOST_TURNS = 100;

/** One replica of a service: the real saga, which stops at each of its ports until the walker resumes it. */
export class Process {
  readonly name: string;
  readonly #policy: (process: Process) => Policy;
  #resume: (() => void) | null = null;
  #fail: ((error: Error) => void) | null = null;
  #life = 0;
  /** Null while it runs, and while it has nothing to do. */
  point: Point | null = null;
  isIdle = true;
  lease: Lease | null = null;
  /** It stands still until then. */
  wakesAt = 0;
  /** Its request is held on the way. */
  isWaiting = false;

  constructor(name: string, policy: (process: Process) => Policy) {
    this.name = name;
    this.#policy = policy;
  }

  /** A port asks here before it acts. */
  reach(point: Point): Promise<void> {
    this.point = point;
    return new Promise((resolve, reject) => {
      this.#resume = resolve;
      this.#fail = reject;
    });
  }

  /** Takes up what is due, up to its first port. */
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

  /** It is started again at once, and knows nothing. */
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
