import { startHttpServer } from '@plataforma/http';
import { createLog } from '@plataforma/observe';
import { connectionLimitOf, createBegun, startMetrics, takeConfig } from '@plataforma/service';
import { webConfig } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { routes } from './http/routes.ts';
import { listenFor } from './live/listen.ts';
import { metrics } from './metrics.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/**
 * This limit is less than the gateway's limit for the headers of a request, because this service adds
 * headers.
 */
const MAX_HEAD_BYTES = 12 * 1024;

/**
 * Starts the service for browsers: the pages and their route to the API. This service has no database, so it
 * does not use `defineService`.
 */
export async function startWeb(env: NodeJS.ProcessEnv, tuning: Partial<Tuning> = {}, stopping?: AbortSignal) {
  const config = takeConfig(webConfig, env);
  const log = createLog({ service: 'web', level: config.LOG_LEVEL });
  const begun = createBegun({ log, stopping });
  try {
    const times = { ...productionTuning, ...tuning };
    const dependencies = await buildDependencies({ config, log, tuning: times });
    begun.add('dependencies', dependencies.pagesGateway.close);
    for (const { gateway } of Object.values(dependencies.gatewayPools))
      begun.add('dependencies', gateway.close);
    const tap = listenFor(dependencies.live, dependencies);
    if (tap) begun.add('dependencies', tap.stop);
    const server = await startHttpServer({
      ...{ log, host: config.HOST, port: config.PORT, drainMs: config.DRAIN_MS },
      ...{ keepAliveMs: config.KEEP_ALIVE_MS, maxHeadBytes: MAX_HEAD_BYTES, beginsTraces: true },
      ...{ hostNames: config.HOST_NAMES, connectionLimit: connectionLimitOf(config) },
      isHttps: () => dependencies.isSecure,
      stalledAfterMs: times.stalledAfterMs,
      needs: {},
      uses: tap ? { broker: tap.isConnected } : {},
      mount: (app) => routes(app, dependencies),
    });
    begun.add('entryPoints', server.stop);
    begun.add('entryPoints', async () => dependencies.live.endAll());
    const scripts = Object.entries(dependencies.checkout.documents.digests);
    const state = () => [
      metrics.gauge('plataforma_web_broker_connected', {}, tap?.isConnected() ? 1 : 0),
      ...scripts.map(([script, digest]) =>
        metrics.gauge('plataforma_web_checkout_script', { script, digest }, 1),
      ),
    ];
    const metricsServer = await startMetrics({
      service: 'web',
      config,
      log,
      gauges: [dependencies.live.read, state],
    });
    begun.add('metrics', metricsServer.stop);
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
