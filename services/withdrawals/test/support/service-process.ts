import { TICK_MS } from '@plataforma/testing';
import { type ServiceProcess as ProcessOf, processesOfService } from '@plataforma/testing/world';
import { type Client, createClient } from './client.ts';

export type ServiceProcess = ProcessOf<Client>;

const start = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startWithdrawals',
  clientOf: createClient,
});

/** Short leases, so that another process soon resumes the work of a killed one. */
const QUICK = { scheduleEveryMs: TICK_MS, leaseMs: 300, creationLeaseMs: 300 };

/** A short interval, so that the process works on all due rows continuously. */
const RESTLESS = { scheduleEveryMs: TICK_MS, leaseMs: 600, creationLeaseMs: 600 };

export function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: QUICK });
}

/** Starts the service with a clock an hour ahead. It refuses all requests, but its jobs run. */
export function startHourAhead(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: RESTLESS, isHourAhead: true });
}
