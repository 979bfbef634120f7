import { runProcess } from '@plataforma/chassis';
import { startCharges } from '../../src/service.ts';

/** A service process that works off all that is due, again and again. */
await runProcess(async (env) => {
  const restless = { scheduleEveryMs: 20, leaseMs: 600, firstPollMs: 300, refundFollowUpMs: 300 };
  const running = await startCharges(env, { ...restless, readListsEveryMs: 100 });
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
