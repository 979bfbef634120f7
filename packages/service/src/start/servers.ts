import { startHttpServer } from '@plataforma/http';
import type { Begun } from './begun.ts';
import type { BrokerLink } from './messages.ts';
import type { Core, Servers, ServiceConfig } from './service.ts';

interface ServerDependencies {
  core: Core<ServiceConfig>;
  link: BrokerLink | undefined;
  begun: Begun;
}

/** Starts the servers one after the other. Returns the URLs by server name. */
export async function startServers(
  servers: Servers,
  { core: { config, log, database }, link, begun }: ServerDependencies,
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (const [name, server] of Object.entries(servers)) {
    if (!server) continue;
    const { host = config.HOST, port = config.PORT, mount, ...own } = server;
    const started = await startHttpServer({
      ...{ log, host, port, drainMs: config.DRAIN_MS, keepAliveMs: config.KEEP_ALIVE_MS },
      hostNames: config.HOST_NAMES,
      needs: { database: () => database.query('SELECT 1') },
      ...(link ? { uses: { broker: link.isConnected } } : {}),
      ...own,
      mount: (app) => mount(app, () => urls.get(name) ?? ''),
    });
    urls.set(name, started.url);
    begun.add('entryPoints', started.stop);
  }
  return urls;
}
