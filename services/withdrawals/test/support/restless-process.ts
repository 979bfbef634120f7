import { runProcess } from '@plataforma/chassis';
import { startWithdrawals } from '../../src/service.ts';

/** A service process that works off all that is due, again and again. */
await runProcess(async (env) => {
  const running = await startWithdrawals(env, { scheduleEveryMs: 20, leaseMs: 600, creationLeaseMs: 600 });
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
