import { runProcess } from '@plataforma/chassis';
import { startLedger } from '../../src/service.ts';

/** A service process that works off all that is due, again and again. */
await runProcess(async (env) => {
  const running = await startLedger(env, { scheduleEveryMs: 20 });
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
