import type { Choices } from './choices.ts';
import { arrivalsOf, type Option, optionsOf } from './faults.ts';
import { Process } from './process.ts';
import type { Request, World } from './world.ts';

export interface Bounds {
  faults: number;
  /**
   * The maximum number of preemptions. A preemption interrupts a process that could continue, and lets
   * another process run or an order arrive.
   */
  preemptions: number;
  /** The maximum number of notices that the provider sends. Each notice makes the order due early. */
  notices: number;
}

type Actor = Process | Request;

/**
 * Runs one event at a time. The choices select the next event among the possible events, and the bounds limit
 * which events are possible. Time passes when no event is possible.
 */
export class Scheduler {
  readonly #world: World;
  readonly #choices: Pick<Choices, 'pick'>;
  readonly #left: Bounds;
  #running: Actor | null = null;

  constructor(world: World, bounds: Bounds, choices: Pick<Choices, 'pick'>) {
    this.#world = world;
    this.#left = { ...bounds };
    this.#choices = choices;
  }

  /** Runs the next event. Returns false when no event is left. */
  async step(): Promise<boolean> {
    const running = this.#running;
    const isRunning = running !== null && this.#canRun(running);
    const isBusy = isRunning && running instanceof Process && !running.isIdle;
    const options: Option[] = [];
    const actors: (Actor | null)[] = [];
    const add = (actor: Actor) => {
      const { faults } = this.#left;
      for (const option of actor instanceof Process
        ? optionsOf(this.#world, actor, faults)
        : arrivalsOf(this.#world, actor)) {
        if (option.faults > faults) continue;
        options.push(option);
        actors.push(actor);
      }
    };
    if (isRunning) add(running);
    if (!isBusy || this.#left.preemptions > 0)
      for (const actor of this.#others(isRunning ? running : null)) add(actor);
    if (options.length === 0) return this.#passTime();
    if (this.#left.notices > 0 && this.#world.record.canBeMadeDue(this.#world.now)) {
      options.push({ faults: 0, act: () => this.#notice() });
      actors.push(null);
    }
    const chosen = this.#choices.pick(options.length);
    const actor = actors[chosen] ?? null;
    if (isBusy && actor !== null && actor !== running) this.#left.preemptions -= 1;
    if (actor) this.#running = actor;
    this.#left.faults -= options[chosen]?.faults ?? 0;
    await options[chosen]?.act();
    return true;
  }

  #canRun(actor: Actor): boolean {
    const { now, record, requests } = this.#world;
    if (!(actor instanceof Process)) return actor.arrivesAt <= now && requests.includes(actor);
    if (!actor.isIdle) return !actor.isWaiting && actor.wakesAt <= now;
    return record.claimableAt !== null && record.claimableAt <= now;
  }

  /**
   * Returns the other actors that can run, but only one of the idle processes, because all idle processes are
   * alike.
   */
  #others(running: Actor | null): Actor[] {
    const isIdleRunning = running instanceof Process && running.isIdle;
    const idle = isIdleRunning ? null : this.#world.processes.find(({ isIdle }) => isIdle);
    const busy = this.#world.processes.filter((process) => !process.isIdle || process === idle);
    const others: Actor[] = [...busy, ...this.#world.requests];
    return others.filter((actor) => actor !== running && this.#canRun(actor));
  }

  #notice(): void {
    this.#left.notices -= 1;
    this.#world.record.makeDue(this.#world.now);
    this.#world.narrate(() => 'a notice of the provider triggers a query');
  }

  #passTime(): boolean {
    const { now, processes, requests, record } = this.#world;
    const times = requests.map(({ arrivesAt }) => arrivesAt);
    for (const { isIdle, isWaiting, wakesAt } of processes) {
      if (isIdle) times.push(record.claimableAt ?? now);
      else if (!isWaiting) times.push(wakesAt);
    }
    const next = Math.min(...times.filter((time) => time > now));
    if (next === Number.POSITIVE_INFINITY) return false;
    this.#world.now = next;
    this.#running = null;
    return true;
  }
}
