import { type DoomedProcess, startDoomedProcess } from '@plataforma/testing';
import { type Client, createClient } from './client.ts';

export interface ServiceProcess extends DoomedProcess {
  client: Client;
}

const quick = new URL('quick-process.ts', import.meta.url);
const restless = new URL('restless-process.ts', import.meta.url);

/** The service in a process of its own. */
export function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  return withClient(startDoomedProcess(quick, env));
}

/** The same, with a clock that is an hour ahead: it believes nobody's request, and its jobs run. */
export function startHourAhead(env: Record<string, string>): Promise<ServiceProcess> {
  return withClient(startDoomedProcess(restless, env, { isHourAhead: true }));
}

async function withClient(starting: Promise<DoomedProcess>): Promise<ServiceProcess> {
  const doomed = await starting;
  return { ...doomed, client: createClient(doomed.url) };
}
