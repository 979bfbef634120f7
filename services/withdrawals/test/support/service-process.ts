import { TICK_MS } from '@plataforma/testing';
import { type ServiceProcess as ProcessOf, processesOfService } from '@plataforma/testing/world';
import { type Client, createClient } from './client.ts';

export type ServiceProcess = ProcessOf<Client>;

const start = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startWithdrawals',
  clientOf: createClient,
});

/** Another process soon resumes the work of a killed one. */
const QUICK = { scheduleEveryMs: TICK_MS, leaseMs: 300, creationLeaseMs: 300 };

/** It works off all that is due, again and again. */
const RESTLESS = { scheduleEveryMs: TICK_MS, leaseMs: 600, creationLeaseMs: 600 };

/** The service in a process of its own. */
export function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: QUICK });
}

/** The same, with a clock that is an hour ahead: it believes no request, and its jobs run. */
export function startHourAhead(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: RESTLESS, isHourAhead: true });
}
