import { registerHooks } from 'node:module';
import { startHttpServer } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { z } from 'zod';
import { runProcess, serviceSettings } from '../../src/index.ts';

/** The names of the OpenTelemetry modules that the process has loaded. */
const loaded: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('opentelemetry')) loaded.push(url);
    return nextLoad(url, context);
  },
});

/** Runs a service in its own process. The only endpoint lists the loaded modules. */
await runProcess(async (env) => {
  const { PORT, HOST, LOG_LEVEL } = readConfig(z.object({ ...serviceSettings }), env);
  const log = createLog({ service: 'traced', level: LOG_LEVEL });
  const server = await startHttpServer({
    connectionLimit: null,
    log,
    host: HOST,
    port: PORT,
    needs: {},
    mount: (app) => app.get('/loaded', (_req, res) => void res.json(loaded)),
  });
  console.error(server.url);
  return server;
}, 'traced');
