import { runProcess } from '@plataforma/chassis';
import { startWithdrawals } from '../../src/service.ts';

/** A service process to be killed in a test: what it had begun is soon taken up by another. */
await runProcess(async (env) => {
  const running = await startWithdrawals(env, { scheduleEveryMs: 20, leaseMs: 300, creationLeaseMs: 300 });
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
