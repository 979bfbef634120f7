import { type DoomedProcess, startDoomedProcess } from '../doomed-process.ts';

interface Exported<Client> {
  /** The module of the service, and the name of what starts it there. */
  module: URL;
  start: string;
  clientOf(url: string): Client;
}

interface ProcessOptions {
  tuning?: object;
  isHourAhead?: boolean;
}

export type ServiceProcess<Client> = DoomedProcess & { client: Client };

const child = new URL('service-child.ts', import.meta.url);

/** Starts the service in processes of their own. */
export function processesOfService<Client>({ module, start, clientOf }: Exported<Client>) {
  return async (
    env: NodeJS.ProcessEnv,
    { tuning = {}, isHourAhead = false }: ProcessOptions = {},
  ): Promise<ServiceProcess<Client>> => {
    const args = [module.href, start, JSON.stringify(tuning)];
    const doomed = await startDoomedProcess(child, env, { isHourAhead, args });
    return { ...doomed, client: clientOf(doomed.url) };
  };
}
