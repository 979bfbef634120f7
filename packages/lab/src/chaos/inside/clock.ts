/**
 * Makes the clock of a process wrong. `node --import` loads this file. The file that `CLOCK_FILE` names
 * contains the offset in milliseconds; without that file the clock is right. Timers and `performance.now`
 * stay right.
 */
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 100;

const file = process.env.CLOCK_FILE;
const TrueDate = Date;
const trueNow = Date.now;
let offset = 0;
let readAt = -READ_EVERY_MS;

function now(): number {
  if (file !== undefined && performance.now() - readAt >= READ_EVERY_MS) {
    readAt = performance.now();
    offset = offsetIn(file);
  }
  return trueNow() + offset;
}

function offsetIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

const WrongDate = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new TrueDate(now()).toString(),
});
TrueDate.now = now;
// `date.constructor` must be the wrong clock too, because some code creates dates with it.
TrueDate.prototype.constructor = WrongDate;
globalThis.Date = WrongDate;
