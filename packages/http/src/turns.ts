import { type CallerClass, classOf, type Holder, nameOf } from './bulkhead.ts';
import { createLines } from './lines.ts';

interface Turns {
  running: number;
  waiting: ReturnType<typeof createLines<() => void>>;
}

/**
 * Creates a function that limits work which blocks the event loop for milliseconds. Each class of callers has
 * a limit in `most` for work at the same time, so that other classes wait little. Callers of a class take
 * turns.
 */
export function createTurns(most: Readonly<Record<CallerClass, number>>) {
  const classes = new Map<CallerClass, Turns>();

  return async <T>(holder: Holder, work: () => Promise<T>): Promise<T> => {
    const callers = classOf(holder);
    const turns = classes.get(callers) ?? { running: 0, waiting: createLines<() => void>() };
    classes.set(callers, turns);
    if (turns.running < most[callers]) turns.running += 1;
    else {
      // Wait until work of the same class of callers ends and gives its place to this work. `running`
      // therefore stays the same.
      await new Promise<void>((resolve) => {
        turns.waiting.add({ neighbourhood: '', name: nameOf(holder) }, resolve);
      });
    }
    try {
      return await work();
    } finally {
      const next = turns.waiting.next();
      if (next) next();
      else turns.running -= 1;
    }
  };
}
