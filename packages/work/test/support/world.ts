import { isEnd } from '../../src/index.ts';
import { type Policy, Process } from './process.ts';
import { type Habit, type Outcome, Provider } from './provider.ts';
import { OrderRecord } from './record.ts';

/**
 * The longest time from the end of a lease to the arrival of the order that was sent under the lease. A
 * longer delay breaks the contract of the network.
 */
export const UNCONFIRMED_MS = 100;

export type Mutation = (policy: Policy) => Policy;

export interface Scenario {
  habit: Habit;
  mutate: Mutation;
  results: Set<string>;
}

/** An order that is delayed on its way. */
export interface Request {
  arrivesAt: number;
  /** The process that sent the order and waits for the answer. Null when that process has died. */
  sender: Process | null;
  from: string;
}

/** The test environment: two replicas, one order, one provider, and the time of the database. */
export class World {
  now = 0;
  readonly record: OrderRecord;
  readonly provider: Provider;
  readonly processes: readonly Process[];
  requests: Request[] = [];
  /** True when the provider or the network has broken its contract. The service may then raise an alarm. */
  isContractBroken = false;
  /** True when the provider will not show the order at the next check. */
  isHidden = false;
  /** True when the answer to the next commit will be lost. */
  isCommitForgotten = false;
  #outcome: Outcome = { state: 'refused' };
  readonly #story: string[] | null;

  /** `story` collects the events in words. It is null when no words are needed. */
  constructor({ habit, mutate, results }: Scenario, story: string[] | null) {
    this.record = new OrderRecord(results);
    this.provider = new Provider(habit);
    this.#story = story;
    const policy = (process: Process) => mutate(this.#policyOf(process));
    this.processes = [new Process('A', policy), new Process('B', policy)];
  }

  /**
   * Returns true when the order has ended, all replicas are idle, no order is on its way, and the provider
   * processes none.
   */
  get isQuiet(): boolean {
    if (!isEnd(this.record.row.status) || this.requests.length > 0 || this.provider.isAtWork) return false;
    return this.processes.every(({ isIdle }) => isIdle);
  }

  narrate(words: () => string): void {
    this.#story?.push(`${this.now} ms: ${words()}`);
  }

  /** Delivers an order to the provider. A process then reads the provider's answer from `#outcome`. */
  arrive(from: string, isAgainstHabit: boolean): void {
    this.#outcome = this.provider.receive(this.now, isAgainstHabit);
    this.narrate(() => `the provider gets ${from}’s order: ${this.#outcome.state}`);
  }

  #policyOf(process: Process): Policy {
    const clock = () => new Date(this.now);
    const { name } = process;
    return {
      clock,
      backoff: { kind: 'doubling', firstMs: 20, longestMs: 40 },
      unconfirmedMs: UNCONFIRMED_MS,
      watch: null,
      claimDue: () => {
        const claimed = this.record.claimDue(this.now, clock);
        process.lease = claimed?.lease ?? null;
        this.narrate(() => `${name} claims the order, which is ${this.record.row.status}`);
        return claimed;
      },
      inRow: async (_item, work) => {
        await process.reach('save');
        const result = await work(null, this.record.row);
        if (!this.isCommitForgotten) return result;
        this.isCommitForgotten = false;
        this.narrate(() => `${name} loses the database, and does not notice its commit`);
        throw new Error('no connection');
      },
      order: async (_item, lease) => {
        await process.reach('token');
        lease.check();
        this.narrate(() => `${name} has its token, and its order leaves`);
        await process.reach('request');
        const outcome = this.#outcome;
        await process.reach('answer');
        return outcome;
      },
      find: async () => {
        await process.reach('find');
        const found = this.isHidden ? null : this.provider.find(this.now);
        this.isHidden = false;
        this.narrate(() => `${name} queries the order: ${found ? found.state : 'there is none'}`);
        await process.reach('found');
        return found;
      },
      recordDecision: async (_tx, locked, decision) => {
        const saved = this.record.save(decision);
        this.narrate(() => `${name} saves “${saved}”: ${locked.status} → ${decision.next.status}`);
        const { alarm } = decision;
        if (alarm) this.narrate(() => `${name} raises the alarm ${alarm.kind}`);
      },
    };
  }
}
