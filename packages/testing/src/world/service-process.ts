import { type DoomedProcess, startDoomedProcess } from '../doomed-process.ts';

interface Exported<Client> {
  /**
   * The URL of the service's module. `start` is the name of the exported function that starts the service.
   */
  module: URL;
  start: string;
  clientOf(url: string): Client;
}

export type ServiceProcess<Client> = DoomedProcess & { client: Client };

const child = new URL('service-child.ts', import.meta.url);

/** Returns a function that starts the service in a process of its own. */
export function processesOfService<Client>({ module, start, clientOf }: Exported<Client>) {
  return async (
    env: NodeJS.ProcessEnv,
    { tuning = {}, isHourAhead = false }: { tuning?: object; isHourAhead?: boolean } = {},
  ): Promise<ServiceProcess<Client>> => {
    const args = [module.href, start, JSON.stringify(tuning)];
    const doomed = await startDoomedProcess(child, env, { isHourAhead, args });
    return { ...doomed, client: clientOf(doomed.url) };
  };
}
