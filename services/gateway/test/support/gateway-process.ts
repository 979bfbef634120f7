import { runProcess } from '@plataforma/chassis';
import { startGateway } from '../../src/service.ts';

/** A gateway in a process of its own. */
await runProcess(async (env) => {
  const running = await startGateway(env);
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
