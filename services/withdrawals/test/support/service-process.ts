import { TICK_MS } from '@plataforma/testing';
import { type ServiceProcess as ProcessOf, processesOfService } from '@plataforma/testing/world';
import { type Client, createClient } from './client.ts';

export type ServiceProcess = ProcessOf<Client>;

const start = processesOfService({
  module: new URL('../../src/service.ts', import.meta.url),
  start: 'startWithdrawals',
  clientOf: createClient,
});

/** The leases are short, so that another process soon resumes the work of a killed process. */
const QUICK = { scheduleEveryMs: TICK_MS, leaseMs: 300, creationLeaseMs: 300 };

/** The interval is short, so that the process works continuously on all due rows. */
const RESTLESS = { scheduleEveryMs: TICK_MS, leaseMs: 600, creationLeaseMs: 600 };

export function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: QUICK });
}

/**
 * Starts the service with its clock an hour ahead. Therefore it refuses all requests as expired, but its
 * scheduler works.
 */
export function startHourAhead(env: Record<string, string>): Promise<ServiceProcess> {
  return start(env, { tuning: RESTLESS, isHourAhead: true });
}
