import { type DoomedProcess, startDoomedProcess } from '@plataforma/testing';
import { type Client, createClient } from './client.ts';

export interface ServiceProcess extends DoomedProcess {
  client: Client;
}

const script = new URL('quick-process.ts', import.meta.url);

/** The service in a process of its own. */
export async function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const doomed = await startDoomedProcess(script, env);
  return { ...doomed, client: createClient(doomed.url) };
}
