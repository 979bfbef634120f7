import type { ProviderOutcome, RefusedOrder } from '../../src/index.ts';

/**
 * The provider's usual reaction to an order. A fault makes the provider refuse one order that it would take,
 * or take one order that it would refuse.
 */
export type Habit = 'takes' | 'accepts, then pays' | 'accepts, then fails' | 'refuses';

export type Outcome = ProviderOutcome | RefusedOrder;

export const AMOUNT = 1_000;
/**
 * The milliseconds that the provider takes to pay: longer than a lease, but shorter than the longest delay of
 * a request.
 */
const TAKES_MS = 25;

/**
 * The provider, which has its own state of the order. The tests (`walk.ts`) compare the service's record with
 * this state.
 */
export class Provider {
  readonly #habit: Habit;
  #state: 'unknown' | 'accepted' | 'done' | 'failed' = 'unknown';
  #endsAt = 0;
  moved = 0;

  constructor(habit: Habit) {
    this.#habit = habit;
  }

  /**
   * Receives a new or repeated order. Returns `refused` if the provider refuses this request, and otherwise
   * the present state of the order.
   */
  receive(now: number, isAgainstHabit: boolean): Outcome {
    const isRefused = (this.#habit === 'refuses') !== isAgainstHabit;
    if (isRefused) return { state: 'refused' };
    if (this.#state === 'unknown') this.#take(now);
    return this.find(now) ?? { state: 'refused' };
  }

  find(now: number): ProviderOutcome | null {
    this.#carryOut(now);
    if (this.#state === 'unknown') return null;
    if (this.#state === 'failed') return { state: 'failed' };
    if (this.#state === 'done') return { state: 'done', reference: 'E1', amount: AMOUNT };
    return { state: 'accepted', reference: 'E1' };
  }

  get hasTaken(): boolean {
    return this.#state !== 'unknown';
  }

  get isAtWork(): boolean {
    return this.#state === 'accepted';
  }

  #take(now: number): void {
    const isLater = this.#habit === 'accepts, then pays' || this.#habit === 'accepts, then fails';
    this.#state = 'accepted';
    this.#endsAt = isLater ? now + TAKES_MS : now;
    this.#carryOut(now);
  }

  #carryOut(now: number): void {
    if (this.#state !== 'accepted' || now < this.#endsAt) return;
    this.#state = this.#habit === 'accepts, then fails' ? 'failed' : 'done';
    if (this.#state === 'done') this.moved += 1;
  }
}
