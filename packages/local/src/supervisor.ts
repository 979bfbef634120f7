import { setTimeout as sleep } from 'node:timers/promises';
import { lastWords, type Program, textOf } from './processes.ts';
import { reasonOf, retryWithBackoff } from './retry-with-backoff.ts';

export interface Supervised {
  readonly program: Program;
  /**
   * The server that the program needs. The supervisor launches the program again only when this server
   * answers.
   */
  readonly need?: { readonly name: string; probe(): Promise<void> };
}

export interface Supervision {
  say(line: string): void;
  /** Called when a process has ended, and when a process was launched again. */
  onChange(): void;
}

export interface Supervisor {
  /** Ends the supervision, but does not stop the processes. */
  stop(): void;
}

/**
 * The delay before a new launch is `firstDelayMs`, and doubles with each further end of the process within
 * `withinMs`. After `maxDeaths` ends within `withinMs`, the program is not launched again.
 */
const production = { firstDelayMs: 500, maxDeaths: 5, withinMs: 60_000 };

type Context = Supervision & typeof production & { signal: AbortSignal };

/** Launches a program again, after a growing delay, if its process ends unexpectedly. */
export function supervise(
  all: readonly Supervised[],
  supervision: Supervision,
  tuning: Partial<typeof production> = {},
): Supervisor {
  const controller = new AbortController();
  const { signal } = controller;
  for (const supervised of all) {
    watch(supervised, { ...supervision, ...production, ...tuning, signal }).catch((error) => {
      const { name } = supervised.program.running;
      if (!signal.aborted) supervision.say(`${name} is no longer supervised: ${reasonOf(error)}`);
    });
  }
  return { stop: () => controller.abort() };
}

async function watch(supervised: Supervised, context: Context): Promise<void> {
  const { program } = supervised;
  const { say, onChange, signal, firstDelayMs, maxDeaths, withinMs } = context;
  let deaths: number[] = [];
  for (;;) {
    const end = await program.running.ended;
    if (signal.aborted) return;
    onChange();
    const now = performance.now();
    deaths = [...deaths.filter((at) => now - at < withinMs), now];
    const death = `${program.running.name} ended unexpectedly (${textOf(end)})`;
    if (deaths.length >= maxDeaths) return say(`${death}, ${await reasonsToGiveUp(program, context)}`);
    const delayMs = firstDelayMs * 2 ** (deaths.length - 1);
    say(`${death}; it is started again in ${delayMs / 1000} s`);
    await sleep(delayMs, undefined, { signal });
    await waitForNeed(supervised, context);
    signal.throwIfAborted();
    program.launch();
    onChange();
  }
}

async function reasonsToGiveUp(program: Program, { maxDeaths, withinMs }: Context): Promise<string> {
  const often = `${maxDeaths} times within ${withinMs / 1000} s`;
  return `${often}; the supervisor gives up, and everything else continues to run. ${await lastWords(program.running)}`;
}

async function waitForNeed({ program, need }: Supervised, { say, signal }: Context): Promise<void> {
  if (!need) return;
  const { name } = program.running;
  const onWait = () => say(`${name} waits for ${need.name} before it is started again`);
  await retryWithBackoff(need.probe, { target: need.name, onWait, signal });
}
