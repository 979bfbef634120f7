import { runProcess } from '@plataforma/chassis';

const HOUR_MS = 3_600_000;
const TrueDate = Date;
const trueNow = Date.now;

/** The clock of this process, and of nothing else on this machine, is an hour ahead. */
const now = () => trueNow() + HOUR_MS;
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
});
TrueDate.now = now;

const { startWithdrawals } = await import('../../src/service.ts');

/** The service with such a clock, working off all that is due, again and again. */
await runProcess(async (env) => {
  const running = await startWithdrawals(env, { scheduleEveryMs: 20, leaseMs: 600, creationLeaseMs: 600 });
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
