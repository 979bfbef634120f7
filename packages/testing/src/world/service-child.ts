import { type Running, runProcess } from '@plataforma/service';

type Start = (
  env: NodeJS.ProcessEnv,
  tuning: unknown,
  stopping?: AbortSignal,
) => Promise<Running & { url: string }>;

/**
 * Runs one service in its own process. The command line gives the service's module, the name of its start
 * function, and the tuning as JSON.
 */
const [module = '', name = '', tuning = '{}'] = process.argv.slice(2);
const service: Record<string, Start | undefined> = await import(module);

await runProcess(async (env, stopping) => {
  const start = service[name];
  if (!start) throw new Error(`${module} has no ${name}`);
  const running = await start(env, JSON.parse(tuning), stopping);
  process.stdout.write(`listening on ${running.url}\n`);
  return running;
});
