/** Sets the clock of a process an hour ahead. The process loads this module with `node --import`. */
const HOUR_MS = 3_600_000;
const TrueDate = Date;
const trueNow = Date.now;

const now = () => trueNow() + HOUR_MS;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
});
TrueDate.now = now;
