import { startHttpServer } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { createBegun, startMetrics } from '@plataforma/service';
import { webConfig } from './config.ts';
import { routes } from './http/routes.ts';
import { buildParts } from './parts.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/** Less than the gateway takes, for what is added on the way. */
const MAX_HEAD_BYTES = 12 * 1024;

/** Starts what browsers talk to: the pages, and their way to the API. It has no database, and so no `startService`. */
export async function startWeb(env: NodeJS.ProcessEnv, tuning: Partial<Tuning> = {}, stopping?: AbortSignal) {
  const config = readConfig(webConfig, env);
  const log = createLog({ service: 'web', level: config.LOG_LEVEL });
  const begun = createBegun({ log, stopping });
  try {
    const parts = await buildParts({ config, log, tuning: { ...productionTuning, ...tuning } });
    begun.add('parts', parts.gateway.close);
    const server = await startHttpServer({
      ...{ log, host: config.HOST, port: config.PORT, drainMs: config.DRAIN_MS },
      ...{ maxHeadBytes: MAX_HEAD_BYTES, beginsTraces: true },
      needs: {},
      mount: (app) => routes(app, parts),
    });
    begun.add('entrances', server.stop);
    const metrics = await startMetrics({ service: 'web', config, log });
    begun.add('metrics', metrics.stop);
    return {
      url: server.url,
      async stop() {
        const [error] = await begun.stopAll();
        if (error) throw error;
      },
    };
  } catch (error) {
    await begun.stopAll();
    throw error;
  }
}
