import { runProcess } from '@plataforma/chassis';
import { startWebhooks } from '../../src/service.ts';

/** A service process that looks for what is old all the time. */
await runProcess(async (env) => {
  const running = await startWebhooks(env, { forgetEveryMs: 20 });
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
